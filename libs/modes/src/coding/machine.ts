import { defineMachine } from '#engine';
import { commonStates, everywhere, executing } from '../shared/common-states.js';

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
    EXECUTING: executing,
    ...commonStates,
  },
  { abortTo: 'TEAM_SHUTDOWN', everywhere },
);
