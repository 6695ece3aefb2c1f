import { type Bound, type Branch, RETURN, type StateSketch } from '#engine';
import { afterFix, nextAttempt, nextTask, nextTrial, nextUatRound } from './bounds.js';

const rejected = { to: 'TEAM_SHUTDOWN', aborts: true } as const satisfies Branch;

/** The first way into EXECUTING. What comes back there, from acceptance or healing, was let in before. */
export const toExecuting: readonly (string | Branch)[] = [
  { to: 'BEFORE_EXECUTING', when: 'execute-gate-is-on' },
  'EXECUTING',
];

/** Every way into COMPLETE of what was executed. */
export const toComplete: readonly (string | Branch)[] = [
  { to: 'BEFORE_COMPLETE', when: 'complete-gate-is-on' },
  'COMPLETE',
];

/** As in the sentence of every gate at which a project can be given up. */
export const GIVEN_UP = 'The project ends as aborted. Its branch stays as it is.';

/**
 * What all three QRALPH machines share: everything behind EXECUTING, and the gates that a project may have before it
 * and before COMPLETE.
 * A change here is a change of three tables: each of them then needs a new version.
 */
export const commonStates = {
  BEFORE_EXECUTING: {
    gate: {
      name: 'execute',
      ask: 'The plan is ready, and nothing is changed yet. Start the work?',
      options: { approve: 'execution:approved', reject: 'execution:rejected' },
      consequences: {
        approve: 'The tasks are carried out one by one. All agents read what you say with it.',
        reject: GIVEN_UP,
      },
    },
    on: { 'execution:approved': 'EXECUTING', 'execution:rejected': rejected },
  },
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
      ask: 'The project cannot continue by itself. Resolve the problem, defer this item, or proceed with the rest?',
      options: { resolve: 'problem:resolved', defer: 'item:postponed', proceed: 'rest:proceeds' },
      consequences: {
        resolve:
          'The blocked step runs again, with the files as you left them. If the budget is spent, raise it instead.',
        defer:
          'The item goes to DEFERRED.md and the rest continues. If nothing is done or left, or the set-up failed, the project aborts.',
        proceed:
          'What is done so far goes to acceptance. What is not done is left out. Not possible if the set-up failed.',
      },
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
      'uat:passed': toComplete,
      'uat:failed': nextUatRound,
      SKIP: 'UAT',
    },
  },
  BEFORE_COMPLETE: {
    gate: {
      name: 'complete',
      ask: 'The work is done and accepted, and the change is on the branch. Complete the project?',
      options: { approve: 'completion:approved', revise: 'completion:returned', reject: 'completion:rejected' },
      consequences: {
        approve: 'The project is completed, and its summary is written.',
        revise: 'Your feedback becomes a task. After it is done and accepted, you are asked again.',
        reject: GIVEN_UP,
      },
    },
    on: {
      'completion:approved': 'COMPLETE',
      // As often as a person wants it: nobody else leads here.
      'completion:returned': 'EXECUTING',
      'completion:rejected': rejected,
    },
  },
  COMPLETE: { completes: true, do: 'finalise', on: { 'project:finalised': 'TEAM_SHUTDOWN' } },
  // The one terminal state. It has ended when the team is gone, and not before.
  TEAM_SHUTDOWN: { do: 'shut-down-team', end: 'completed' },
} as const satisfies Record<string, StateSketch>;

/** Plans, then has checks written: a visit each, so that both are checkpointed before the first change. */
const threeDrafts: Bound = { name: 'drafts', max: 3 };

/** SCOPING: fixes what is to be done, in all three QRALPH machines. */
export const scoping = (next: readonly (string | Branch)[], drafts: Bound = threeDrafts) =>
  ({
    do: 'scope',
    on: { 'plan:drafted': [{ to: 'SCOPING', bound: drafts }, 'BLOCKED'], 'plan:ready': next },
  }) as const satisfies StateSketch;

/** EXECUTING of coding and classic mode. Work mode asks there as well whether it has outgrown itself. */
export const executing = {
  do: 'execute',
  on: {
    // Each task is a visit of its own: it is checkpointed when done, and SKIP means this one alone.
    'task:finished': nextTask,
    // What a person said at a gate is taken up in a visit of its own, before anything that could fail.
    'decision:heeded': nextTask,
    'problem:found': nextAttempt,
    'work:verified': 'UAT',
    SKIP: 'EXECUTING',
  },
} as const satisfies StateSketch;

/** Any working state may block, with its cause in the event; BLOCKED remembers which state it was. */
export const everywhere = { 'work:blocked': 'BLOCKED' } as const;
