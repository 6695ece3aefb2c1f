import { defineMachine } from '#engine';
import { nextAttempt, nextTask } from '../shared/bounds.js';
import { commonStates, everywhere } from '../shared/common-states.js';

export const codingMachine = defineMachine(
  'qralph-coding',
  1,
  {
    INIT: { do: 'create-project', on: { 'project:created': 'DISCOVERING' } },
    DISCOVERING: { do: 'discover', on: { 'team:composed': 'REVIEWING' } },
    REVIEWING: {
      do: 'review',
      on: {
        // The planning variant delivers what the reviews found and executes nothing.
        'reviews:synthesised': [{ to: 'COMPLETE', when: 'is-planning-variant' }, 'EXECUTING'],
        'critical-reviewer:lost': 'BLOCKED',
        SKIP: 'REVIEWING',
      },
    },
    EXECUTING: {
      do: 'execute',
      on: {
        // Each task is a visit of its own: it is checkpointed when done, and SKIP means this one alone.
        'task:finished': nextTask,
        'problem:found': nextAttempt,
        'work:verified': 'UAT',
        SKIP: 'EXECUTING',
      },
    },
    ...commonStates,
  },
  { abortTo: 'TEAM_SHUTDOWN', everywhere },
);
