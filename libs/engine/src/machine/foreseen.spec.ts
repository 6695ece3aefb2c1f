import { expect, it } from 'vitest';
import { defineMachine } from './define-machine.js';
import { foreseen, foresight, hasLapsed } from './foreseen.js';
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

const command = (name: 'PAUSE' | 'RESUME' | 'SKIP', visit = 3): Signal => ({ seq: 3, by: 'human', body: { kind: 'command', id: name, command: name, visit } }); // prettier-ignore
const paused = { ...asking, paused: true };
const stateAfter = (at: typeof asking, ...inbox: Signal[]) => foreseen(machine, at, inbox, {}).state;

it('a timer goes before a decision that comes later, unless the project is paused: then its time begins anew', () => {
  expect(stateAfter(asking, timer(3), decision)).toBe('WORKING');
  expect(hasLapsed(machine, asking, [timer(3)], {})).toBe(true);
  expect(foreseen(machine, paused, [timer(3), decision], {})).toEqual(paused);
  for (const inbox of [[timer(3)], [timer(3), command('RESUME')], [command('RESUME'), timer(3)]]) {
    expect([hasLapsed(machine, paused, inbox, {}), stateAfter(paused, ...inbox)]).toEqual([false, 'ASKING']);
  }
  expect(hasLapsed(machine, asking, [command('PAUSE'), timer(3)], {})).toBe(false);
});

it('what had to wait for the resume follows it', () => {
  expect(stateAfter(paused, decision, command('RESUME'))).toBe('DONE');
});

it('each signal is seen as it will find the project, not as that is now', () => {
  const working = { ...asking, state: 'WORKING' };
  const skip = foresight({ ...machine, states: { ...machine.states, WORKING: { do: 'work', on: { SKIP: [{ to: 'DONE' }] } } } }, working, [command('PAUSE'), command('SKIP')], {}); // prettier-ignore
  expect(skip.results.map(({ kind }) => kind)).toEqual(['changed', 'noted']);
});

it('the time of a state is not over by the timer of another visit, of another event, or by anything else', () => {
  for (const inbox of [[], [timer(2)], [timer(3, 'other')], [decision]]) {
    expect(hasLapsed(machine, asking, inbox, {})).toBe(false);
  }
  expect(hasLapsed(machine, { ...asking, state: 'WORKING' }, [timer(3)], {})).toBe(false);
});
