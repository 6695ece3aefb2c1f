import type { Mistake } from '../model/skill.js';
import type { Change } from '../targets/change.js';
import type { Job } from '../targets/index.js';
import type { Task, Tier } from '../targets/target.js';

/**
 * One project that the whole product has to end right.
 * - solvable: it ends proven, and nobody was asked.
 * - lie: a model pretends. The project never ends as done, unless a larger tier really does the work.
 * - person: only a person can help. The question names the point.
 * - simulated: no provider is there. The project ends as simulated, never as proven.
 */
export type CaseKind = 'solvable' | 'lie' | 'person' | 'simulated';
export type CaseProtocol = 'anthropic' | 'openai' | 'none';
export type CaseMode = 'coding' | 'classic' | 'work' | 'errand';

export interface OutcomeCase {
  readonly name: string;
  readonly kind: CaseKind;
  /** The observed failure that this case repeats, by its number. */
  readonly point: number | null;
  readonly protocol: CaseProtocol;
  readonly mode: CaseMode;
  readonly job: Job;
  /** What a tier does instead of the right change. */
  readonly does: Partial<Readonly<Record<Tier, Change>>>;
  /** What the model believes about the task, if it differs from the truth. */
  readonly believes: Partial<Task>;
  readonly claims: 'done' | 'not-applicable';
  /** Whether the model does one step of a plan at a time. */
  readonly isStepwise: boolean;
  readonly mistakes: readonly Mistake[];
  /** Further fields of the start body. */
  readonly start: Readonly<Record<string, unknown>>;
  /** What the question to a person must say. */
  readonly asks: RegExp | null;
  /** What readable files of the project must say at its end, by the name of the file. */
  readonly tells: Readonly<Record<string, RegExp>>;
  /** The most calls of models that it may take; null if they do not matter. */
  readonly maxCalls: number | null;
}

type Given = Pick<OutcomeCase, 'name' | 'job'> & Partial<OutcomeCase>;

const DEFAULTS: Omit<OutcomeCase, 'name' | 'job'> = {
  kind: 'solvable',
  point: null,
  protocol: 'anthropic',
  mode: 'coding',
  does: {},
  believes: {},
  claims: 'done',
  isStepwise: false,
  mistakes: [],
  start: {},
  asks: null,
  tells: {},
  maxCalls: null,
};

export const solvable = (given: Given): OutcomeCase => ({ ...DEFAULTS, ...given, kind: 'solvable' });
export const lie = (given: Given): OutcomeCase => ({ ...DEFAULTS, ...given, kind: 'lie' });
export const person = (given: Given & { readonly asks: RegExp }): OutcomeCase => ({
  ...DEFAULTS,
  ...given,
  kind: 'person',
});

/** The same behaviour at every tier. */
export const everyTier = (change: Change): Readonly<Record<Tier, Change>> => ({
  small: change,
  medium: change,
  large: change,
});

/** One of the wrong changes of a task, by name. */
export function wrong({ task }: Job, name: string): Change {
  const change = task.wrong[name];
  if (!change) throw new Error(`There is no wrong change "${name}". There are: ${Object.keys(task.wrong).join(', ')}.`);
  return change;
}
