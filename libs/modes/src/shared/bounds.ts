import type { Bound, Branch } from '#engine';

/** The numbers that bound the loops of the QRALPH machines. A project's context may override those with a parameter. */

/**
 * Attempts at one problem. Counted when an attempt begins and never reset, not even by a rollback: otherwise the larger
 * models at the end of the ladder would never be reached.
 */
export const healAttempts: Bound = { name: 'heal-attempts', max: 5, per: 'problem', parameter: 'healAttempts' };

/** How often failed scenarios go back to EXECUTING as tasks. */
export const uatRounds: Bound = { name: 'uat-rounds', max: 2, parameter: 'uatRounds' };

/** Bounds beyond any honest project: whoever gets there runs in circles, and a person looks at it. */
const tasks: Bound = { name: 'tasks', max: 1_000 };
const fixes: Bound = { name: 'fixes', max: 200 };
const trials: Bound = { name: 'trials', max: 200 };

export const nextAttempt: readonly (string | Branch)[] = [{ to: 'SELF_HEAL', bound: healAttempts }, 'BLOCKED'];
export const nextTask: readonly (string | Branch)[] = [{ to: 'EXECUTING', bound: tasks }, 'BLOCKED'];
export const afterFix: readonly (string | Branch)[] = [{ to: 'EXECUTING', bound: fixes }, 'BLOCKED'];
export const nextTrial: readonly (string | Branch)[] = [{ to: 'UAT', bound: trials }, 'BLOCKED'];
export const nextUatRound: readonly (string | Branch)[] = [{ to: 'EXECUTING', bound: uatRounds }, 'BLOCKED'];
