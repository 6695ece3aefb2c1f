import { expect } from 'vitest';
import type { HealProblem, ModelCall as LedgerCall, Project, ProjectCosts, ProjectEvent } from '#contracts';
import type { ModelCall, Reply } from '#testing';
import {
  askedBy,
  type Asked,
  did,
  inTurn,
  RIGHT,
  type Says,
  team,
  type TeamScript,
  THEME_TEST,
  writes,
} from './coding-team.js';
import { type ErrandWorld, gitIn } from './errand-world.js';

const MARK = /case-\d+/;
export const DEADLINE_MS = 120_000;

/** An implementer that breaks it, with a test that shows it. */
export const breaks = inTurn(
  writes({ 'theme.mjs': 'export const toggle = () => "purple";\n', 'theme.test.mjs': THEME_TEST }),
  did('toggle(theme)'),
);

/** A healer that does it anew: right whether or not the change of the task was taken back. */
export const heals: Says = inTurn(
  writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }),
  did('toggle gives the other theme'),
);

/** A healer whose fix is none, each time another one. */
export const healsWrongly = (colour: string): Says =>
  inTurn(
    writes({ 'theme.mjs': `export const toggle = () => "${colour}";\n`, 'theme.test.mjs': THEME_TEST }),
    did(`toggle gives ${colour}`),
  );

/** One after the other, a conversation each; the last one for all that follow. */
export function byConversation(...all: readonly Says[]): Says {
  let begun = 0;
  return (asked) => {
    if (asked.call.turn === 0) begun += 1;
    return (all[begun - 1] ?? all.at(-1) ?? heals)(asked);
  };
}

/** Several coding projects at once on one service, each with a team of its own: its request says which. */
export class HealCases {
  private readonly scripts = new Map<string, (call: ModelCall) => Reply | Promise<Reply>>();

  constructor(readonly world: ErrandWorld) {
    world.server.use((call) => {
      const mark = MARK.exec(JSON.stringify(call.body))?.[0] ?? '';
      const script = this.scripts.get(mark);
      if (!script) throw new Error(`no case asks this: ${JSON.stringify(call.body).slice(0, 500)}`);
      return script(call);
    });
  }

  /** The words of a finding have to hold `mark`: a task's own words are all that its healer is told. */
  async start(
    script: TeamScript | ((mark: string) => TeamScript),
    { repo, ...more }: { readonly repo?: string } & Readonly<Record<string, unknown>> = {},
  ): Promise<HealCase> {
    const mark = `case-${String(this.scripts.size + 1)}`;
    this.scripts.set(mark, team(typeof script === 'function' ? script(mark) : script));
    const path = repo ?? (await this.world.repository());
    const order = { mode: 'coding', verify: ['node --test'], agents: { count: 3 }, ...more };
    const { id } = await this.world.start(path, { ...order, request: `Add dark mode toggle, ${mark}` });
    return new HealCase(this.world, id, mark, path);
  }
}

/** One project, and what its healers were asked. */
export class HealCase {
  constructor(
    private readonly world: ErrandWorld,
    readonly id: string,
    readonly mark: string,
    readonly repo: string,
  ) {}

  get api(): ErrandWorld['api'] {
    return this.world.api;
  }

  read<T>(what: string): Promise<T> {
    return this.api.must('GET', `/v1/projects/${this.id}/${what}`);
  }

  completed(): Promise<Project> {
    return this.api.untilStatus(this.id, 'completed', DEADLINE_MS);
  }

  /** Waits for the block, and says its cause. */
  async blocked(): Promise<{ project: Project; cause: string; why: string }> {
    const project = await this.api.untilStatus(this.id, 'blocked', DEADLINE_MS);
    expect(project.state).toBe('BLOCKED');
    const { snapshot } = await this.api.checkpoint(this.id, project.checkpoint.seq);
    const { block } = (snapshot as { context: { block?: { cause: string } } }).context;
    return { project, cause: block?.cause ?? '', why: project.waitingFor?.['why'] as string };
  }

  decide(decision: string): Promise<unknown> {
    return this.api.decide(this.id, decision, 'resolve-problem');
  }

  async problems(): Promise<HealProblem[]> {
    return (await this.read<{ data: HealProblem[] }>('problems')).data;
  }

  async events(type: string): Promise<ProjectEvent['data'][]> {
    return (await this.api.events(this.id)).filter((one) => one.type === type).map(({ data }) => data);
  }

  async states(): Promise<string[]> {
    return (await this.events('state.entered')).map((data) => data['to'] as string);
  }

  /** What healers asked at the beginning of each of their conversations. */
  heals(): Asked[] {
    return this.asked().filter(({ role, call }) => role === 'healer' && call.turn === 0);
  }

  asked(): Asked[] {
    const own = this.world.server.calls.filter(({ body }) => MARK.exec(JSON.stringify(body))?.[0] === this.mark);
    return own.map((call) => askedBy(call));
  }

  /** Calls of healers as the ledger has them, oldest first. */
  async ledger(): Promise<LedgerCall[]> {
    const { data } = await this.read<ProjectCosts>('costs?limit=200');
    return data.filter(({ purpose }) => purpose === 'heal').sort((a, b) => a.at.localeCompare(b.at));
  }

  async onBranch(...paths: readonly string[]): Promise<string[]> {
    const { workspace } = await this.api.project(this.id);
    return Promise.all(paths.map((path) => gitIn(this.repo, 'show', `${workspace?.branch ?? ''}:${path}`)));
  }
}
