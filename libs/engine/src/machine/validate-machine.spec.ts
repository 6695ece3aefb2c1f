import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMachine, type MachineOptions, type StateSketch } from './define-machine.js';
import { anyMachine, sample } from './machine.fixture.js';
import { machineFaults, type Provided } from './validate-machine.js';

const END: StateSketch = { end: 'completed' };
const gate = (options: Record<string, string>): Pick<StateSketch, 'gate'> => ({
  gate: { name: 'g', ask: '?', options },
});

function faults(
  states: Record<string, StateSketch>,
  options: Partial<MachineOptions> = {},
  provided?: Provided,
): string[] {
  return machineFaults(defineMachine('m', 1, states, { abortTo: 'END', ...options }), provided).map((fault) =>
    fault.replace('m@1: ', ''),
  );
}

describe('machineFaults', () => {
  it('finds nothing wrong with a sound machine', () => {
    expect(machineFaults(sample)).toEqual([]);
    const provided = { activities: new Set(['begin', 'work', 'tidy']), guards: new Set(['is-small', 'is-large']) };
    expect(machineFaults(sample, provided)).toEqual([]);
  });

  it('names the machine and its version in each fault', () => {
    expect(machineFaults({ ...sample, version: 7, initial: 'X' })).toEqual(['sample@7: initial state X is unknown']);
  });

  it('never throws, whatever the table', () => {
    fc.assert(
      fc.property(anyMachine, (machine) => {
        for (const fault of machineFaults(machine, { activities: new Set(), guards: new Set() })) {
          expect(fault).toMatch(/^any@1: ./);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const to = (target: string): StateSketch => ({ do: 'a', on: { e: target } });
  const unknown: [string, Record<string, StateSketch>, Partial<MachineOptions>, string][] = [
    ['an unknown initial state', { A: to('END'), END }, { initial: 'B' }, 'initial state B is unknown'],
    ['an inherited name as state', { A: to('constructor'), END }, {}, 'A on e leads to the unknown state constructor'],
    ['an unknown target of abort', { A: to('END'), END }, { abortTo: 'X' }, 'abort leads to the unknown state X'],
    ['an unknown target', { A: to('B'), END }, {}, 'A on e leads to the unknown state B'],
    [
      'a timer that fires unheard',
      { A: { ...to('END'), timer: { event: 't', ms: 1 } }, END },
      {},
      'A has a timer whose event t it does not accept',
    ],
    [
      'a decision that leads nowhere',
      { A: { ...gate({ yes: 'y', no: 'n' }), on: { y: 'END' } }, END },
      {},
      'A has a gate whose event n it does not accept',
    ],
  ];
  const completion: typeof unknown = [
    [
      'work that is complete at once',
      { A: { ...to('END'), completes: true }, END },
      {},
      'A completes the work, but the machine begins there',
    ],
    [
      'a terminal state that completes',
      { A: to('END'), END: { ...END, completes: true } },
      {},
      'END completes the work, but is terminal, which says so already',
    ],
    [
      'complete work that goes on by itself',
      {
        A: to('B'),
        B: { do: 'b', completes: true, on: { e: [{ to: 'A', bound: { name: 'again', max: 1 } }, 'END'] } },
        END,
      },
      {},
      'B completes the work, but is entered again by itself',
    ],
    [
      "a bound with a name of the engine's",
      { A: { do: 'a', on: { e: [{ to: 'A', bound: { name: '@completed', max: 1 } }, 'END'] } }, END },
      {},
      "A on e has a bound with a name of the engine's",
    ],
  ];
  const shape: typeof unknown = [
    ['a dead end', { A: to('B'), B: { do: 'b' }, END }, {}, 'B is a dead end that is not terminal'],
    ['an event without a branch', { A: { do: 'a', on: { e: 'END', f: [] } }, END }, {}, 'A on f has no branch'],
    [
      'a terminal state with events',
      { A: to('END'), END: { ...END, on: { e: 'A' } } },
      {},
      'END is terminal and still has events',
    ],
    [
      'a terminal state that waits',
      { A: to('END'), END: { ...END, ...gate({}) } },
      {},
      'END is terminal and still waits for something',
    ],
    [
      'an activity behind a gate',
      { A: { do: 'a', ...gate({ yes: 'e' }), on: { e: 'END' } }, END },
      {},
      'A has both an activity and a gate',
    ],
    [
      'a gate without a decision',
      { A: { ...gate({}), on: { e: 'END' } }, END },
      {},
      'A has a gate that offers no decision',
    ],
    [
      'a state that nothing leaves',
      { A: { on: { e: 'END' } }, END },
      {},
      'A has no activity, gate or timer: nothing would ever leave it',
    ],
    [
      'a timer without a time',
      { A: { ...to('END'), timer: { event: 'e', ms: 0 } }, END },
      {},
      'A has a timer without a time',
    ],
    [
      'a branch for a command that the engine keeps',
      { A: { do: 'a', on: { e: 'END', ABORT: 'END' } }, END },
      {},
      'A names ABORT, which no table ever sees',
    ],
    [
      'an event whose guards may all say no',
      { A: { do: 'a', on: { e: { to: 'END', when: 'g' } } }, END },
      {},
      'A on e is a dead end once its guards and bounds say no',
    ],
    [
      'a bound with nothing after it',
      { A: { do: 'a', on: { e: { to: 'A', bound: { name: 'b', max: 2 } }, f: 'END' } }, END },
      {},
      'A on e is a dead end once its guards and bounds say no',
    ],
    [
      'a bound of zero',
      { A: { do: 'a', on: { e: [{ to: 'A', bound: { name: 'b', max: 0 } }, 'END'] } }, END },
      {},
      'A on e has a bound b that is not a positive whole number',
    ],
    [
      'a branch that aborts to elsewhere',
      { A: { do: 'a', on: { e: { to: 'B', aborts: true } } }, B: to('END'), END },
      {},
      'A on e aborts, but not to END',
    ],
  ];
  const memory: typeof unknown = [
    ['a return without memory', { A: to('@return'), END }, {}, 'A on e returns, but does not remember'],
    [
      'memory at the beginning',
      { A: { ...to('END'), remembers: true }, END },
      {},
      'A remembers, but the machine begins there',
    ],
    [
      'memory after abort',
      { A: to('B'), B: { ...to('END'), remembers: true }, END },
      { abortTo: 'B' },
      'B remembers: an aborted project could return from it',
    ],
    [
      'memory upon memory',
      { A: to('B'), B: { ...to('C'), remembers: true }, C: { ...to('END'), remembers: true }, END },
      {},
      'C forgets what B remembers',
    ],
  ];
  it.each([...unknown, ...shape, ...memory, ...completion])('refuses %s', (_what, states, options, fault) => {
    expect(faults(states, options)).toContain(fault);
  });

  it('refuses states that no road leads to', () => {
    expect(faults({ A: to('END'), B: to('END'), END })).toEqual(['B is unreachable']);
    expect(faults({ A: to('END'), B: to('C'), C: { ...to('END') }, END })).toEqual([
      'B is unreachable',
      'C is unreachable',
    ]);
  });

  it('takes the road of ABORT for a road', () => {
    expect(faults({ A: to('END'), END, GONE: { end: 'aborted' } }, { abortTo: 'GONE' })).toEqual([]);
  });

  it('refuses states from which no road leads to an end', () => {
    const found = faults({ A: { do: 'a', on: { e: 'B', f: 'END' } }, B: { do: 'b', on: { e: 'B' } }, END });
    expect(found).toContain('B can never reach a terminal state');
  });

  it('lets a person send complete work back', () => {
    const states: Record<string, StateSketch> = {
      A: to('B'),
      B: { do: 'b', completes: true, on: { e: 'END', stop: 'C' } },
      C: { remembers: true, ...gate({ back: 'f', again: 'g' }), on: { f: '@return', g: 'A' } },
      END,
    };
    expect(faults(states)).toEqual([]);
  });

  it('refuses what nobody provides', () => {
    const states = { A: { do: 'a', on: { e: [{ to: 'END', when: 'g' }, 'END'] } }, END: { ...END, do: 'tidy' } };
    expect(faults(states, {}, { activities: new Set(), guards: new Set() })).toEqual([
      'A: nobody provides activity a',
      'A: nobody provides guard g',
      'END: nobody provides activity tidy',
    ]);
  });
});

describe('a loop', () => {
  const loop = (back: StateSketch['on'], more: StateSketch = {}): Record<string, StateSketch> => ({
    A: { do: 'a', on: { e: 'B' } },
    B: { ...(more.gate ? {} : { do: 'b' }), ...more, on: { done: 'END', ...back } },
    END,
  });
  const unbounded = ['A lies on a loop without a bound', 'B lies on a loop without a bound'];

  it('needs a bound, and a guard is none', () => {
    expect(faults(loop({ back: 'A' }))).toEqual(unbounded);
    expect(faults(loop({ back: [{ to: 'A', when: 'g' }, 'END'] }))).toEqual(unbounded);
    expect(faults(loop({ back: [{ to: 'A', bound: { name: 'b', max: 3 } }, 'END'] }))).toEqual([]);
  });

  it('may be one state long', () => {
    expect(faults({ A: { do: 'a', on: { again: 'A', e: 'END' } }, END })).toEqual(['A lies on a loop without a bound']);
  });

  it('is interrupted by a person, but not by the timer of a gate', () => {
    const asked = gate({ again: 'back', done: 'done' });
    expect(faults(loop({ back: 'A' }, asked))).toEqual([]);
    expect(faults(loop({ back: 'A' }, { ...asked, timer: { event: 'back', ms: 1 } }))).toEqual(unbounded);
  });

  it('is found through a return too', () => {
    const states = {
      A: { do: 'a', on: { e: 'B', f: 'END' } },
      B: { do: 'b', remembers: true, on: { back: '@return' } },
    };
    expect(faults({ ...states, END } as Record<string, StateSketch>)).toEqual(unbounded);
  });

  it('may be caused by commands as often as they are given, but not by an event in capitals', () => {
    expect(faults(loop({ RETRY: 'A' }))).toEqual([]);
    expect(faults(loop({ AGAIN: 'A' }))).toEqual(unbounded);
  });
});
