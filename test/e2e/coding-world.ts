import { join } from 'node:path';
import type { ArtifactContent, Finding, Project, Team } from '#contracts';
import { eventually, type ModelCall, type Script } from '#testing';
import { DemoRepository } from '../../apps/orchestrator/src/demo/demo-repository.js';
import type { Fire } from '../harness/under-fire.main.js';
import { type Asked, askedBy, team, type TeamScript } from './coding-team.js';
import { ErrandWorld } from './errand-world.js';

const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];

export interface Blocked {
  readonly cause: string;
  readonly why: string;
  /** What the table made of it. */
  readonly event: unknown;
}

type More = Readonly<Record<string, unknown>>;

/** One service for many coding projects at once: a word of its request says whose team answers. */
export class CodingWorld {
  private readonly teams = new Map<string, Script>();
  private readonly repositories = new Set<string>();

  private constructor(readonly world: ErrandWorld) {
    world.server.use((call) => {
      const word = this.wordOf(call);
      const script = word === null ? undefined : this.teams.get(word);
      return script ? script(call) : { fault: { kind: 'status', status: 400, words: 'no team has such a request' } };
    });
  }

  static async open(fire: Partial<Fire> = {}, env: Readonly<Record<string, string>> = {}): Promise<CodingWorld> {
    return new CodingWorld(await ErrandWorld.open(env, fire));
  }

  /** Starts a project whose request has this word, which no other project's may have. */
  async start(word: string, script: TeamScript, more: More = {}, files?: Readonly<Record<string, string>>) {
    const repo = await this.repository(word, files);
    this.teams.set(word, team(script));
    const order = { request: `Add dark mode toggle for ${word}`, mode: 'coding', verify: ['node --test'], ...more };
    return new CodingCase(this, word, repo, await this.world.start(repo, order));
  }

  async repository(word: string, files?: Readonly<Record<string, string>>): Promise<string> {
    const path = join(this.world.folder.path, word);
    if (!this.repositories.has(word)) await new DemoRepository(path, process.env['PATH'] ?? '').make(files);
    this.repositories.add(word);
    return path;
  }

  /** What the agents of a project asked, in the order of asking. */
  asked(word: string): readonly Asked[] {
    return this.world.server.calls.filter((call) => this.wordOf(call) === word).map(askedBy);
  }

  close(): Promise<void> {
    return this.world.close();
  }

  private wordOf({ body }: ModelCall): string | null {
    const text = JSON.stringify(body);
    return [...this.teams.keys()].find((word) => text.includes(`toggle for ${word}`)) ?? null;
  }
}

/** A project of a coding world, as its user sees it. */
export class CodingCase {
  readonly id: string;

  constructor(
    private readonly at: CodingWorld,
    private readonly word: string,
    readonly repo: string,
    readonly project: Project,
  ) {
    this.id = project.id;
  }

  get api() {
    return this.at.world.api;
  }

  asked(role: Asked['role'], agent?: string): readonly Asked[] {
    return this.at.asked(this.word).filter((one) => one.role === role && (agent === undefined || one.agent === agent));
  }

  read<T>(what: string): Promise<T> {
    return this.api.must<T>('GET', `/v1/projects/${this.id}/${what}`);
  }

  async page(name: string): Promise<string> {
    return (await this.read<ArtifactContent>(`artifacts/${name}`)).content;
  }

  async findings(): Promise<readonly Finding[]> {
    return (await this.read<{ data: Finding[] }>('findings?limit=200')).data;
  }

  async members(): Promise<Readonly<Record<string, string>>> {
    const { members } = await this.read<Team>('team');
    return Object.fromEntries(members.map(({ agent, status }) => [agent, status]));
  }

  /** The data of all its events of a type. */
  async told(type: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.api.events(this.id)).filter((event) => event.type === type).map(({ data }) => data);
  }

  async states(): Promise<readonly unknown[]> {
    return (await this.told('state.entered')).map(({ to }) => to);
  }

  completed(): Promise<Project> {
    return this.api.untilStatus(this.id, 'completed', 120_000);
  }

  /** Waits for its nth block, and says what led there and what a person is shown. */
  async blocked(nth = 1): Promise<Blocked> {
    await eventually(
      `${this.word} is blocked`,
      async () => {
        const { state, status, waitingFor } = await this.api.project(this.id);
        if (status !== 'blocked' && ENDED.includes(status)) throw new Error(`it has ended: ${status} in ${state}`);
        return status === 'blocked' && waitingFor !== null && (await this.entries('BLOCKED')).length >= nth;
      },
      { deadlineMs: 120_000, everyMs: 100 },
    );
    const { checkpoint, waitingFor } = await this.api.project(this.id);
    const { snapshot } = await this.api.checkpoint(this.id, checkpoint.seq);
    const { cause } = (snapshot as { context: { block: { cause: string } } }).context.block;
    const why = waitingFor?.['why'];
    return { cause, why: typeof why === 'string' ? why : '', event: (await this.entries('BLOCKED')).at(-1)?.['cause'] };
  }

  private async entries(state: string) {
    return (await this.told('state.entered')).filter(({ to }) => to === state);
  }

  decide(decision: string): Promise<unknown> {
    return this.api.decide(this.id, decision, 'resolve-problem');
  }
}
