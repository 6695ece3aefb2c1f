import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Project, ProjectEvent } from '#contracts';
import { eventually, type ModelServer, type Script, startModelServer, tempFolder, type TempFolder } from '#testing';
import { type Asked, askedBy } from '../e2e/coding-team.js';
import { Api } from '../harness/api.js';
import { busyMs, type Interval } from './busy-time.js';
import { freePort, ServiceProcess } from './service.js';

/** One model call of a project: who made it, and from when to when the provider kept it. */
interface SeenCall extends Interval {
  readonly request: string;
  readonly role: Asked['role'];
  readonly agent: string;
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
/** Whoever looks often is a load of its own. */
const LOOK_MS = 500;

/** The service as a user starts it, a provider that keeps every call for the same time, and a folder for repositories. */
export class CodingWorld {
  private readonly seen: SeenCall[] = [];

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

  /** How long at least one model call or sandboxed command of the project was under way. */
  async outsideMs(started: Started): Promise<number> {
    return busyMs([...this.calls(started), ...(await this.commands(started))]);
  }

  private calls({ request }: Started): readonly Interval[] {
    const own = this.seen.filter((call) => call.request === request);
    const reviewers = new Set(own.filter(({ role }) => role === 'reviewer').map(({ agent }) => agent));
    if (reviewers.size !== this.team.reviewers) throw new Error(`${String(reviewers.size)} reviewers were asked`);
    return own;
  }

  /** Verify commands, checks and scenarios. Their event is written when they have ended. */
  private async commands(started: Started): Promise<readonly Interval[]> {
    const ran = (await this.events(started)).filter(({ type }) => type === 'workspace.verified');
    if (ran.length === 0) throw new Error(`no event of ${started.id} reports a command`);
    return ran.map(({ at, data }) => ({ startedAt: Date.parse(at) - Number(data['ms']), endedAt: Date.parse(at) }));
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
      const startedAt = Date.now();
      const { role, agent, prompt } = askedBy(call);
      const reply = await script(call);
      await delay(latencyMs);
      this.seen.push({ request: request.exec(prompt)?.[0] ?? '', role, agent, startedAt, endedAt: Date.now() });
      return reply;
    };
  }
}
