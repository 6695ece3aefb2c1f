import { type Branch, defineMachine } from '#engine';
import { nextAttempt, nextTask } from '../shared/bounds.js';
import { commonStates, everywhere, GIVEN_UP, scoping, toComplete, toExecuting } from '../shared/common-states.js';

/** A project escalates once: from then on it has the full team, and nothing larger to grow to. */
const escalation: Branch = { to: 'ESCALATE', bound: { name: 'escalations', max: 1 } };

/** More than 3 domains, a P0 finding or 3 heal attempts. Asked wherever one of these can have changed. */
const whenOutgrown: Branch = { ...escalation, when: 'outgrew-work-mode' };
/** The same where a person ends an attempt, which counts as one that was made. */
const whenOutgrownByAttempt: Branch = { ...escalation, when: 'outgrew-with-this-attempt' };

/** An approved plan has its parts, scope and checks fixed before the first change; so has one that was revised. */
const toScoping: Branch = { to: 'SCOPING', when: 'needs-scoping', bound: { name: 'scoped-plans', max: 100 } };
/** A plan may be revised and approved anew, so there are more drafts than in coding mode. */
const drafts = { name: 'drafts', max: 50 } as const;
/** A person has approved the plan of a small team already: the gate before EXECUTING asks only after an escalation. */
const afterScoping: readonly (string | Branch)[] = [{ to: 'EXECUTING', when: 'is-small-team' }, ...toExecuting];
const scopingOfWork = scoping(afterScoping, drafts);

export const workMachine = defineMachine(
  'qralph-work',
  5,
  {
    INIT: { do: 'create-project', on: { 'project:created': 'DISCOVERING' } },
    DISCOVERING: { do: 'discover', on: { 'team:composed': [whenOutgrown, 'PLANNING'] } },
    PLANNING: {
      do: 'plan',
      on: { 'plan:ready': [whenOutgrown, 'USER_REVIEW'], ESCALATE: escalation },
    },
    USER_REVIEW: {
      gate: {
        name: 'plan',
        ask: 'The plan is ready, or a step has a question. Approve the plan, or answer?',
        options: { approve: 'plan:approved', revise: 'plan:returned', reject: 'plan:rejected' },
        consequences: {
          approve: 'The plan is carried out, with the cap that it names. A step that asked continues with your answer.',
          revise: 'The plan is written again with your feedback, and you are asked again.',
          reject: GIVEN_UP,
        },
      },
      on: {
        'plan:approved': 'EXECUTING',
        'plan:returned': 'PLANNING',
        'plan:rejected': { to: 'TEAM_SHUTDOWN', aborts: true },
        ESCALATE: escalation,
      },
    },
    EXECUTING: {
      do: 'execute',
      on: {
        // Each task is a visit of its own: it is checkpointed when done, and SKIP means this one alone.
        'task:finished': [whenOutgrown, ...nextTask],
        'decision:heeded': [toScoping, ...nextTask],
        'feedback:wanted': [whenOutgrown, 'USER_REVIEW'],
        'problem:found': [whenOutgrown, ...nextAttempt],
        // A small team has no acceptance scenarios: its result is proven, and a person approved the checks of its steps.
        'work:verified': [whenOutgrown, { to: 'UAT', when: 'is-escalated' }, ...toComplete],
        SKIP: 'EXECUTING',
        ESCALATE: escalation,
      },
    },
    // Machine and mode stay `work`; the project is marked as escalated and its team grows to at most 7.
    ESCALATE: { do: 'escalate', on: { 'team:composed': 'REVIEWING' } },
    REVIEWING: {
      do: 'review',
      on: {
        'reviews:synthesised': 'SCOPING',
        'critical-reviewer:lost': 'BLOCKED',
        SKIP: 'REVIEWING',
      },
    },
    SCOPING: { ...scopingOfWork, on: { ...scopingOfWork.on, ESCALATE: escalation } },
    ...commonStates,
    BLOCKED: {
      ...commonStates.BLOCKED,
      gate: {
        ...commonStates.BLOCKED.gate,
        consequences: {
          ...commonStates.BLOCKED.gate.consequences,
          proceed:
            'What is done so far is completed, and the rest is left out. After an escalation it is accepted first. Not possible if the set-up failed.',
        },
      },
      on: {
        ...commonStates.BLOCKED.on,
        // A small team has no acceptance: what it has done is proven as a whole, and completed.
        'rest:proceeds': [
          commonStates.BLOCKED.on['rest:proceeds'],
          { to: 'EXECUTING', when: 'small-team-has-done-something' },
        ],
      },
    },
    SELF_HEAL: {
      ...commonStates.SELF_HEAL,
      on: {
        ...commonStates.SELF_HEAL.on,
        'attempt:failed': [whenOutgrown, ...nextAttempt],
        SKIP: [whenOutgrownByAttempt, ...nextAttempt],
        RETRY: [whenOutgrownByAttempt, ...nextAttempt],
      },
    },
  },
  { abortTo: 'TEAM_SHUTDOWN', everywhere },
);
