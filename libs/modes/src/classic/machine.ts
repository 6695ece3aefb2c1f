import { defineMachine } from '#engine';
import { commonStates, everywhere, executing, GIVEN_UP, scoping, toExecuting } from '../shared/common-states.js';

export const TEN_MINUTES_MS = 600_000;

export const classicMachine = defineMachine(
  'qralph-classic',
  4,
  {
    // The questions are drawn up while the project is created: CLARIFYING is entered only when there are any.
    INIT: {
      do: 'create-project',
      on: { 'project:created': [{ to: 'PLANNING', when: 'nothing-to-clarify' }, 'CLARIFYING'] },
    },
    CLARIFYING: {
      gate: {
        name: 'clarify',
        ask: 'The request leaves questions open. Answer them, or each one gets a safe default in ASSUMPTIONS.md.',
        options: { answer: 'questions:answered' },
        consequences: {
          answer: 'The plan is made with your answers. A question that you leave out gets its safe default.',
        },
        default: 'Every question gets its safe default, and the plan is made with those.',
      },
      // The one gate that a timer may leave: waiting longer buys no better default.
      timer: { event: 'answers:overdue', ms: TEN_MINUTES_MS, parameter: 'clarifyTimeoutMs' },
      on: {
        'questions:answered': 'PLANNING',
        'answers:overdue': 'PLANNING',
        SKIP: 'PLANNING',
      },
    },
    PLANNING: {
      do: 'plan',
      // The gate is on unless a person started the project with it off.
      on: { 'plan:ready': [{ to: 'REVIEWING', when: 'plan-gate-is-off' }, 'USER_REVIEW'] },
    },
    USER_REVIEW: {
      gate: {
        name: 'plan',
        ask: 'The plan is ready in PLAN.md. Approve it?',
        options: { approve: 'plan:approved', revise: 'plan:returned', reject: 'plan:rejected' },
        consequences: {
          approve: 'The reviewers read the code, then the plan is carried out. All agents read what you say with it.',
          revise: 'The plan is written again with your feedback, and you are asked again.',
          reject: GIVEN_UP,
        },
      },
      on: {
        'plan:approved': 'REVIEWING',
        'plan:returned': 'PLANNING',
        'plan:rejected': { to: 'TEAM_SHUTDOWN', aborts: true },
      },
    },
    REVIEWING: {
      do: 'review',
      on: {
        'reviews:synthesised': 'SCOPING',
        'critical-reviewer:lost': 'BLOCKED',
        SKIP: 'REVIEWING',
      },
    },
    SCOPING: scoping(toExecuting),
    EXECUTING: executing,
    ...commonStates,
  },
  { abortTo: 'TEAM_SHUTDOWN', everywhere },
);
