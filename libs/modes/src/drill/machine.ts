import { defineMachine, type Guards } from '#engine';

/**
 * A drill: a small real project that needs no model. It works in a scratch repository with commands as effects, a
 * fan-out, git commits, a loop with a bound, a timer, an effect only a person can settle, and a gate.
 */
export const drillMachine = defineMachine(
  'drill',
  2,
  {
    PREPARING: { do: 'prepare', on: { 'scratch:ready': 'SPLITTING' } },
    SPLITTING: { do: 'split', on: { 'tasks:joined': 'RECORDING' } },
    RECORDING: { do: 'record', on: { 'round:recorded': 'CHECKING' } },
    CHECKING: {
      do: 'check',
      on: {
        'round:passed': [
          { to: 'SPLITTING', when: 'rounds-remain', bound: { name: 'rounds', max: 100 } },
          { to: 'COOLING' },
        ],
      },
    },
    COOLING: {
      timer: { event: 'cooled', ms: 1_000, parameter: 'coolMs' },
      on: { cooled: 'ANNOUNCING', SKIP: 'ANNOUNCING' },
    },
    ANNOUNCING: {
      do: 'announce',
      on: { announced: [{ to: 'APPROVAL', when: 'approval-wanted' }, { to: 'FINISHING' }] },
    },
    APPROVAL: {
      gate: {
        name: 'approval',
        ask: 'The drill has done its rounds. Shall it finish?',
        options: { approve: 'drill:approved', revise: 'drill:revised', reject: 'drill:rejected' },
        consequences: {
          approve: 'The drill finishes and is completed.',
          revise: 'One more round of tasks is done, and you are asked again.',
          reject: 'The drill ends as aborted, and its work is scrapped.',
        },
      },
      on: { 'drill:approved': 'FINISHING', 'drill:revised': 'SPLITTING', 'drill:rejected': 'SCRAPPED' },
    },
    FINISHING: { do: 'finish', on: { finished: 'FINISHED' } },
    FINISHED: { end: 'completed' },
    SCRAPPED: { do: 'scrap', end: 'aborted' },
  },
  { abortTo: 'SCRAPPED' },
);

export const drillGuards: Guards = {
  'rounds-remain': (_context, data) => typeof data['remaining'] === 'number' && data['remaining'] > 0,
  'approval-wanted': (context) => (context['plan'] as { approval?: unknown } | undefined)?.approval !== false,
};

/** One task of a drill's fan-out. */
export const drillTaskMachine = defineMachine(
  'drill-task',
  1,
  {
    WORKING: { do: 'work', on: { 'task:done': 'DONE' } },
    DONE: { end: 'completed' },
    DROPPED: { end: 'aborted' },
  },
  { abortTo: 'DROPPED' },
);
