import { defineMachine } from '#engine';
import { commonStates, everywhere, executing, GIVEN_UP, scoping, toExecuting } from '../shared/common-states.js';

export const codingMachine = defineMachine(
  'qralph-coding',
  4,
  {
    INIT: { do: 'create-project', on: { 'project:created': 'DISCOVERING' } },
    DISCOVERING: { do: 'discover', on: { 'team:composed': 'REVIEWING' } },
    REVIEWING: {
      do: 'review',
      on: {
        'reviews:synthesised': 'SCOPING',
        'critical-reviewer:lost': 'BLOCKED',
        SKIP: 'REVIEWING',
      },
    },
    // The planning variant delivers the reviews and the plan, and executes nothing.
    SCOPING: scoping([
      { to: 'BEFORE_DELIVERY', when: 'delivery-gate-is-on' },
      { to: 'COMPLETE', when: 'is-planning-variant' },
      ...toExecuting,
    ]),
    // COMPLETE of the planning variant has a gate of its own: there is nothing that could be revised by executing it.
    BEFORE_DELIVERY: {
      gate: {
        name: 'complete',
        ask: 'The findings and the plan are ready, and nothing was changed. Complete the project?',
        options: { approve: 'delivery:approved', reject: 'delivery:rejected' },
        consequences: { approve: 'The project is completed, and its summary is written.', reject: GIVEN_UP },
      },
      on: { 'delivery:approved': 'COMPLETE', 'delivery:rejected': { to: 'TEAM_SHUTDOWN', aborts: true } },
    },
    EXECUTING: executing,
    ...commonStates,
  },
  { abortTo: 'TEAM_SHUTDOWN', everywhere },
);
