import { RETURN, type StateSketch } from '#engine';
import { afterFix, nextAttempt, nextTask, nextTrial, nextUatRound } from './bounds.js';

/**
 * What all three QRALPH machines share: everything behind EXECUTING.
 * A change here is a change of three tables: each of them then needs a new version.
 */
export const commonStates = {
  SELF_HEAL: {
    do: 'heal',
    on: {
      'problem:fixed': afterFix,
      'attempt:failed': nextAttempt,
      // A tripped breaker, or a kind of error that is never healed by itself (permissions, secrets, lost data).
      'problem:deferred': 'BLOCKED',
      // A skipped attempt counts, and so does one that was cut short for the next.
      SKIP: nextAttempt,
      RETRY: nextAttempt,
    },
  },
  BLOCKED: {
    remembers: true,
    gate: {
      name: 'resolve-problem',
      ask: 'The project cannot go on by itself. Is the problem resolved, is the item deferred, or does the rest go on?',
      options: { resolve: 'problem:resolved', defer: 'item:postponed', proceed: 'rest:proceeds' },
    },
    on: {
      'problem:resolved': { to: RETURN, when: 'cause-is-not-the-budget' },
      RETRY: { to: RETURN, when: 'cause-is-not-the-budget', by: 'human' },
      // The same cap would trip again at once.
      'budget:raised': { to: RETURN, when: 'cause-is-the-budget', by: 'human' },
      'item:postponed': 'FUTURE_REQ',
      // An acceptance test of nothing would pass, and call the project complete.
      'rest:proceeds': { to: 'UAT', when: 'work-awaits-acceptance' },
    },
  },
  FUTURE_REQ: {
    do: 'defer-item',
    on: {
      'item:deferred': [
        { to: 'REVIEWING', when: 'reviews-remain' },
        { to: 'EXECUTING', when: 'more-work-remains' },
        { to: 'UAT', when: 'work-awaits-acceptance' },
        { to: 'TEAM_SHUTDOWN', when: 'is-complete' },
        // Nothing is left to do and nothing was accepted: that is not a completed project.
        { to: 'TEAM_SHUTDOWN', aborts: true },
      ],
    },
  },
  UAT: {
    do: 'accept',
    on: {
      // Scenarios are written, then tried one a visit: each is checkpointed, and SKIP means this one alone.
      'uat:continues': nextTrial,
      'uat:passed': 'COMPLETE',
      'uat:failed': nextUatRound,
      SKIP: 'UAT',
    },
  },
  COMPLETE: { completes: true, do: 'finalise', on: { 'project:finalised': 'TEAM_SHUTDOWN' } },
  // The one terminal state. It has ended when the team is gone, and not before.
  TEAM_SHUTDOWN: { do: 'shut-down-team', end: 'completed' },
} as const satisfies Record<string, StateSketch>;

/** EXECUTING of coding and classic mode. Work mode asks there as well whether it has outgrown itself. */
export const executing = {
  do: 'execute',
  on: {
    // Each task is a visit of its own: it is checkpointed when done, and SKIP means this one alone.
    'task:finished': nextTask,
    'problem:found': nextAttempt,
    'work:verified': 'UAT',
    SKIP: 'EXECUTING',
  },
} as const satisfies StateSketch;

/** Any working state may block, with its cause in the event; BLOCKED remembers which state it was. */
export const everywhere = { 'work:blocked': 'BLOCKED' } as const;
