import type { AgentOutcome, AgentScene, AgentTask } from '#agents';
import type { MemoryEntry } from '#contracts';
import { builtInTeam, discover } from '#discovery';
import type { ActivityContext, ChildResult, Effect, EffectRun, Report } from '#engine';
import type { Json, JsonObject } from '#kernel';
import type { Lesson, Question } from '#memory';
import type { CleanReport, CleanRun, VerifyReport, Worktree, WorktreeDiff } from '#workspace';
import type { WorkModeParts } from '../work/work-context.js';
import { verifiedAs } from './samples.fixture.js';

export * from './samples.fixture.js';

export const WORKTREE = { projectId: 'p', folder: '/worktree', branch: 'qralph/001-x', baseCommit: 'base' } as Worktree;

/** A visit of a state. Its effects really run, in this order; one that has ended is read back, as the engine does. */
export class Visit {
  readonly steps: string[] = [];
  readonly told: string[] = [];
  /** What was told last of each type. */
  readonly facts = new Map<string, JsonObject>();
  readonly activity: ActivityContext;

  constructor(
    context: Readonly<Record<string, unknown>>,
    more: Partial<Pick<ActivityContext, 'state' | 'visit' | 'counters'>> & {
      readonly children?: readonly ChildResult[] | null;
    } = {},
  ) {
    const { children = null, ...place } = more;
    const run = {
      key: 'key',
      attempt: 1,
      signal: new AbortController().signal,
      lease: { projectId: 'p' },
      tell: (type: string, data: JsonObject) => {
        this.told.push(type);
        this.facts.set(type, data);
      },
    } as unknown as EffectRun;
    const ended = new Map<string, Json>();
    const effect = async <T extends Json>({ step, run: act }: Effect<T>): Promise<T> => {
      if (ended.has(step)) return ended.get(step) as T;
      this.steps.push(step);
      const outcome = await act(run);
      ended.set(step, outcome);
      return outcome;
    };
    this.activity = {
      project: {
        id: 'p',
        name: '001-x',
        request: 'Add dark mode',
        parameters: {},
        machine: 'qralph-coding',
        repo: { path: '/r', ref: 'HEAD' },
      },
      state: 'EXECUTING',
      visit: 5,
      incarnation: 1,
      context: { order: { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api' }, ...context },
      signal: run.signal,
      checkpoint: { seq: 7, checksum: 'c' },
      counters: {},
      effect,
      joined: async () => children,
      endedChildren: async () => children ?? [],
      ...place,
    } as unknown as ActivityContext;
  }
}

const LONGEST_PATCH = 100_000;
const SETTLED = { isDriven: true, effects: [], lostCalls: 0, openCalls: 0, processes: [] };

const ENDED = { kind: 'finished', text: '', output: null, promise: null, turns: 1, commit: 'left', isSimulated: false };

/** Agents by their role. One whose role is not named ends without an answer. */
export const byRole =
  (agents: Readonly<Record<string, (task: AgentTask) => Partial<AgentOutcome>>>) =>
  (task: AgentTask): Partial<AgentOutcome> =>
    agents[task.role]?.(task) ?? {};

/**
 * A world in which nothing happens but what is given. `resets`, `pages`, `lessons` and `patterns` are what was done to it,
 * `cleanRuns` what ran in the clean room, and `asked` what agents were asked.
 */
export function fakeParts(
  more: {
    /** What the verify commands say about a commit. */
    readonly verify?: (commit: string) => VerifyReport;
    /** What a run in the clean room says. It sees tree and commands; if it gives null, `verify` answers. */
    readonly clean?: (run: CleanRun) => CleanReport | null;
    /** It fails otherwise. */
    readonly setUp?: () => { readonly status: 'done' };
    /** What every agent ends with. */
    readonly agent?: (task: AgentTask) => Partial<AgentOutcome>;
    readonly orphans?: number;
    /** Of the budget. */
    readonly usedShare?: number;
    /** What a person left in the worktree; otherwise it is as the newest checkpoint has it. */
    readonly left?: string;
    /** False: set-up is needed, and fails. */
    readonly isSetUp?: boolean;
    /** What an agent changed; one of more characters than can be shown is cut. */
    readonly diff?: string;
    /** What earlier projects learnt. */
    readonly memories?: readonly Partial<MemoryEntry>[];
    /** What was changed since a commit of all that bears on tests. */
    readonly tests?: (from: string) => string;
    /** What was changed between any two commits, and what files hold. */
    readonly changed?: readonly string[];
    readonly added?: readonly string[];
    readonly deleted?: readonly string[];
    /** The same for two named commits; otherwise as above. */
    readonly between?: (from: string, to: string) => Partial<WorktreeDiff> | null;
    readonly files?: Readonly<Record<string, string>>;
    /** What tests the packages that the change touches. */
    readonly packageCommands?: readonly string[];
    /** Test files that name a changed file. */
    readonly naming?: readonly string[];
    /** What they held in the commit `base`; otherwise the same. */
    readonly filesBefore?: Readonly<Record<string, string>>;
  } = {},
) {
  const resets: string[] = [];
  const lessons: Lesson[] = [];
  const patterns: object[] = [];
  const questions: Question[] = [];
  const pages = new Map<string, string>();
  const caps: object[] = [];
  const cleanRuns: CleanRun[] = [];
  const asked: AgentTask[] = [];
  const scenes: AgentScene[] = [];
  const spent = {
    total: { calls: 0, simulatedCalls: 0, costUsd: null, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
    byAgent: [],
    byModel: [],
  };
  const run = async (task: AgentTask, scene: AgentScene): Promise<object> => {
    asked.push(task);
    scenes.push(scene);
    return { ...ENDED, ...more.agent?.(task) };
  };
  const parts = {
    workshop: {
      enter: async () => WORKTREE,
      isSetUp: async () => more.isSetUp ?? true,
      setUp: async () => (more.setUp ?? (() => ({ status: 'failed', reason: 'no lock file', output: '' })))(),
      leave: async () => undefined,
      sandbox: () => ({ kind: 'none', guarantees: {} }),
      commandsOfPackages: async () => more.packageCommands ?? [],
      verifyClean: async (_worktree: Worktree, _order: object, run: CleanRun) => {
        cleanRuns.push(run);
        return more.clean?.(run) ?? more.verify?.(run.tree.commit) ?? verifiedAs('passed');
      },
    },
    worktrees: {
      reset: async (_worktree: Worktree, commit: string) => void resets.push(commit),
      diffOfTests: async (_worktree: Worktree, from: string) => ({
        files: [],
        patch: more.tests?.(from) ?? '',
        isCut: false,
      }),
      diff: async (_worktree: Worktree, from: string, to: string) => ({
        patch: more.diff ?? '',
        isCut: (more.diff ?? '').length > LONGEST_PATCH,
        files: (['changed', 'added', 'deleted'] as const).flatMap((status) =>
          (more[status] ?? []).map((path) => ({ path, status, from: null })),
        ),
        ...more.between?.(from, to),
      }),
      findTests: async () => more.naming ?? [],
      commitFiles: async () => 'milestone',
      made: async (_worktree: object, from: string, to: string) => ({ commits: [`${from}..${to}`], files: ['a.mjs'] }),
      pending: async () => ({ files: [{ path: 'a.mjs', status: 'changed', isAsInCommit: true }], isCut: false }),
      files: async () => ['a.mjs'],
      map: async () => ({ map: 'map', conventions: '' }),
      fileAt: async (_worktree: object, commit: string, path: string) => {
        const text = (commit === 'base' ? (more.filesBefore ?? more.files) : more.files)?.[path];
        return text === undefined ? null : { content: Buffer.from(text), bytes: text.length, isCut: false };
      },
      head: async () => 'base',
      tree: async () => 'tree',
      snapshot: async () => more.left ?? 'now',
      commit: async (_worktree: Worktree, message: string) => `commit of ${message}`,
      commitSnapshot: async (_worktree: Worktree, snapshot: string, message: string) => {
        resets.push(snapshot);
        return snapshot === 'base' ? null : `commit of ${message}`;
      },
    },
    artefacts: {
      read: async (_place: object, name: string) => (pages.has(name) ? { text: pages.get(name) } : null),
      write: async (_place: object, name: string, text: string) => void pages.set(name, text),
      keepCurrent: async (_repo: string, derive: () => Promise<string>) =>
        void pages.set('../../current-project.json', await derive()),
      writeAll: async (_place: object, all: readonly (readonly [string, string])[]) => {
        for (const [name, text] of all) pages.set(name, text);
      },
    },
    history: {
      spent: async () => spent,
      told: async () => [],
      spentIn: async () => ({ costUsd: null, model: null }),
      unsettled: async () => SETTLED,
      liveIn: async () => [],
      unheard: async () => [],
    },
    memory: {
      recall: async (question: Question) => {
        questions.push(question);
        const { kinds, most } = question;
        return (more.memories ?? []).filter(({ kind }) => kind && (kinds?.includes(kind) ?? true)).slice(0, most);
      },
      remember: async (lesson: Lesson) => void lessons.push(lesson),
    },
    patterns: {
      find: async () => null,
      worked: async (pattern: object) => void patterns.push(pattern),
      failed: async () => undefined,
    },
    processes: { orphansOf: async () => more.orphans ?? 0, endAll: async () => undefined },
    budgets: {
      used: async () => '0.00',
      usedShare: async () => more.usedShare ?? 0,
      approve: async (cap: { usd: string }) => (caps.push(cap), cap.usd),
    },
    desk: { candidates: () => [{ provider: 'fake', model: 'one', isSimulated: false }] },
    runtimes: new Map(more.agent ? [['api', { run }]] : []),
    capabilities: () => discover({ repo: builtInTeam(), userFolder: null, builtIn: builtInTeam() }),
  };
  return {
    parts: parts as unknown as WorkModeParts,
    caps,
    resets,
    pages,
    cleanRuns,
    asked,
    scenes,
    lessons,
    patterns,
    questions,
  };
}

/** What an event reports; anything else is no event. */
export function eventOf(report: Report): { type: string; patch: JsonObject; data: JsonObject } {
  if (report.kind !== 'event') throw new Error(`no event, but ${report.kind}`);
  return { type: report.type, patch: report.patch ?? {}, data: report.data ?? {} };
}
