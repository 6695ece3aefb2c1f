import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Project, ProjectEvent } from '#contracts';
import { eventually, type ModelServer, type Script, startModelServer, tempFolder, type TempFolder } from '#testing';
import { type Asked, askedBy } from '../e2e/coding-team.js';
import { Api } from '../harness/api.js';
import { freePort, ServiceProcess } from './service.js';

/** One model call of a project: who made it, and for how long the provider kept it. */
export interface SeenCall {
  readonly request: string;
  readonly role: Asked['role'];
  readonly agent: string;
  readonly ms: number;
}

export interface Started {
  readonly id: string;
  readonly request: string;
  readonly since: number;
}

/** The agents of a bench's projects, and what these projects are started with. */
export interface BenchTeam {
  readonly script: Script;
  /** Finds the request in the prompt of a call. Each project has its own, so a call shows whose it is. */
  readonly request: RegExp;
  readonly reviewers: number;
  readonly verify: readonly string[];
}

const KEY = 'sk-ant-bench-0123456789abcdefghijklmnop';
const AS_NPM_START = ['--enable-source-maps', '--max-semi-space-size=8', 'dist/apps/orchestrator/src/main.js'];
const DEADLINE_MS = 600_000;
const COMMANDS_RAN = ['workspace.verified', 'uat.evidence'];
/** Whoever looks often is a load of its own. */
const LOOK_MS = 500;

/** The service as a user starts it, a provider that keeps every call for the same time, and a folder for repositories. */
export class CodingWorld {
  readonly seen: SeenCall[] = [];

  private constructor(
    private readonly team: BenchTeam,
    readonly folder: TempFolder,
    private readonly server: ModelServer,
    readonly service: ServiceProcess,
    readonly api: Api,
  ) {}

  static async open(
    team: BenchTeam,
    latencyMs: number,
    settings: Readonly<Record<string, string>> = {},
    /** Removed when the world is closed. */
    folder = tempFolder('bench-coding'),
  ): Promise<CodingWorld> {
    const server = await startModelServer([], { key: KEY });
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const dataDir = join(folder.path, 'data');
    const service = ServiceProcess.run(process.execPath, AS_NPM_START, {
      QRALPH_DATA_DIR: dataDir,
      QRALPH_PORT: port,
      QRALPH_LOG_LEVEL: 'warn',
      QRALPH_REPO_ROOTS: folder.path,
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: server.url,
      ...settings,
    });
    await service.ready(url);
    const world = new CodingWorld(team, folder, server, service, await Api.ofDataDir(url, dataDir));
    server.use(world.slowTeam(latencyMs));
    return world;
  }

  async start(request: string, repo: string): Promise<Started> {
    const since = Date.now();
    const { reviewers, verify } = this.team;
    const order = { request, mode: 'coding', repo: { path: repo }, agents: { count: reviewers }, verify };
    const { id } = await this.api.must<Project>('POST', '/v1/projects', order);
    return { id, request, since };
  }

  /** From the moment it was asked for to its end, by the one clock that both sides share. */
  async endOf({ id, since }: Started): Promise<{ project: Project; ms: number }> {
    const isOver = ({ status }: Project): boolean => ['completed', 'aborted', 'blocked'].includes(status);
    const project = await eventually(`${id} ends`, async () => {
      const found = await this.api.project(id);
      return isOver(found) ? found : null;
    }, { deadlineMs: DEADLINE_MS, everyMs: LOOK_MS }); // prettier-ignore
    return { project, ms: Date.parse(project.updatedAt) - since };
  }

  /** What the project had to wait for whatever the service does: its slowest reviewer, then every other call in turn. */
  modelMs(request: string): number {
    const own = this.seen.filter((call) => call.request === request);
    const reviewers = new Map<string, number>();
    let serial = 0;
    for (const { role, agent, ms } of own) {
      if (role === 'reviewer') reviewers.set(agent, (reviewers.get(agent) ?? 0) + ms);
      else serial += ms;
    }
    if (reviewers.size !== this.team.reviewers) throw new Error(`${String(reviewers.size)} reviewers were asked`);
    return Math.max(...reviewers.values()) + serial;
  }

  /** What its verify and acceptance commands took, as the service reports them. */
  async commandMs({ id }: Pick<Started, 'id'>): Promise<number> {
    const told = (await this.events({ id })).filter(({ type }) => COMMANDS_RAN.includes(type));
    if (told.length === 0) throw new Error(`no command of ${id} is told of`);
    return told.reduce((sum, { data }) => sum + Number(data['ms']), 0);
  }

  events({ id }: Pick<Started, 'id'>): Promise<readonly ProjectEvent[]> {
    return this.api.events(id);
  }

  async close(): Promise<void> {
    await this.service.end('SIGTERM');
    await this.server.stop();
    await this.folder.remove();
  }

  private slowTeam(latencyMs: number): Script {
    const { script, request } = this.team;
    return async (call) => {
      const since = performance.now();
      const { role, agent, prompt } = askedBy(call);
      const reply = await script(call);
      await delay(latencyMs);
      this.seen.push({ request: request.exec(prompt)?.[0] ?? '', role, agent, ms: performance.now() - since });
      return reply;
    };
  }
}
