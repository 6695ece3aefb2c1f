import { expect, it } from 'vitest';
import { defineMachine } from './define-machine.js';
import { foreseen, hasLapsed } from './foreseen.js';
import type { Signal } from './signals.js';
import { initialSnapshot } from './snapshot.js';

const machine = defineMachine(
  'm',
  1,
  {
    ASKING: {
      gate: { name: 'g', ask: '?', options: { go: 'going' } },
      timer: { ms: 1_000, event: 'time:over' },
      on: { going: 'DONE', 'time:over': 'WORKING' },
    },
    WORKING: { do: 'work', on: { done: 'DONE' } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);
const asking = { ...initialSnapshot(machine, {}), visit: 3 };
const timer = (visit: number, event = 'time:over'): Signal => ({ seq: 1, by: 'engine', body: { kind: 'timer', visit, event } }); // prettier-ignore
const decision: Signal = { seq: 2, by: 'human', body: { kind: 'decision', gate: 'g', decision: 'go', visit: 3 } };

it('a timer that waits for the resume goes before a decision that comes later', () => {
  const paused = { ...asking, paused: true };
  expect(foreseen(machine, paused, [timer(3), decision], {})).toEqual(paused);
  expect(foreseen(machine, asking, [timer(3), decision], {}).state).toBe('WORKING');
  expect([asking, paused].map((at) => hasLapsed(machine, at, [timer(3)]))).toEqual([true, true]);
});

it('the time of a state is not over by the timer of another visit, of another event, or by anything else', () => {
  for (const inbox of [[], [timer(2)], [timer(3, 'other')], [decision]]) {
    expect(hasLapsed(machine, asking, inbox)).toBe(false);
  }
  expect(hasLapsed(machine, { ...asking, state: 'WORKING' }, [timer(3)])).toBe(false);
});
