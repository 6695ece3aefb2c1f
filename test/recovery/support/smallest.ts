/** What a project is started with, beside its request and repository. */
export interface SmallOrder {
  readonly mode: string;
  readonly request?: string;
  readonly variant?: string;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly setup?: readonly string[];
  readonly verify?: readonly string[];
}

/** Fails the first time in each worktree: the caches in its HOME outlive set-up. */
const FAILS_ONCE =
  'cd "$HOME" && mkdir -p .cache/pip && cd .cache/pip && { [ -e tried ] || { touch tried; exit 1; }; }';

/** At every moment of a place, or at one of them, which is another one at the next place: for modes that take long. */
export type Kills = 'all' | 'in turn';

const KILLS: Readonly<Record<string, Kills>> = {
  errand: 'in turn',
  coding: 'in turn',
  classic: 'in turn',
  work: 'in turn',
};

/** Of a mode that shares the rest of its states, and the activities in them, with another one that is killed there. */
const OWN_STATES: Readonly<Record<string, readonly string[]>> = {
  work: ['DISCOVERING', 'PLANNING', 'USER_REVIEW', 'SCOPING', 'EXECUTING', 'ESCALATE'],
  classic: ['INIT', 'CLARIFYING', 'PLANNING', 'USER_REVIEW', 'COMPLETE'],
};

/** Gates that a project of the simulated model never opens: it asks nobody. */
const NEVER_OPENED: readonly string[] = ['errand/UNPROVEN'];

export const isOwnState = (mode: string, state: string): boolean =>
  !NEVER_OPENED.includes(`${mode}/${state}`) && (OWN_STATES[mode]?.includes(state) ?? true);

export const killsOf = (mode: string): Kills => KILLS[mode] ?? 'all';

/** Without a runner that starts a process for each file. */
const TESTS = 'node greeting.test.mjs && { [ ! -e theme.test.mjs ] || node theme.test.mjs; }';

/** How a mode's projects are kept small in these tests; a mode that is not listed runs with its defaults. */
const SMALLEST: Readonly<Record<string, Omit<SmallOrder, 'mode'>>> = {
  drill: { parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 10 } },
  // One process where `npm test` would be four: what matters is that some test runs.
  errand: { parameters: {}, verify: ['node greeting.test.mjs'] },
  coding: { parameters: {}, verify: [TESTS] },
  work: { parameters: {}, verify: ['node greeting.test.mjs'] },
  classic: { parameters: {}, verify: [TESTS] },
};

/** Where a project comes by a state only if something is wrong, or has to be slower to be met there. */
const TROUBLED: Readonly<Record<string, Partial<SmallOrder>>> = {
  // A timer that is due before the project was given back keeps it with its worker: then nothing is handed over.
  'drill/CHECKING': { parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 500 } },
  'errand/BLOCKED': { setup: [FAILS_ONCE] },
  'errand/DISCARDED': { setup: [FAILS_ONCE] },
  'coding/SELF_HEAL': { request: 'Live through it, with a mistake' },
  'coding/BLOCKED': { setup: [FAILS_ONCE] },
  'coding/FUTURE_REQ': { setup: [FAILS_ONCE] },
  // More domains than a small team is for.
  'work/ESCALATE': {
    request: 'Live through it: a login button, a database query, docker and latency',
    verify: [TESTS],
  },
  // Gates that a project has only where it was started with them; one rehearsal comes by both.
  'coding/BEFORE_EXECUTING': { gates: { execute: true, complete: true } },
  'coding/BEFORE_COMPLETE': { gates: { complete: true } },
  'coding/BEFORE_DELIVERY': { variant: 'planning', gates: { complete: true } },
};

/** The smallest project of a mode that can come by the given state. */
export const smallest = (mode: string, state = ''): SmallOrder => ({
  mode,
  parameters: {},
  ...SMALLEST[mode],
  ...TROUBLED[`${mode}/${state}`],
});
