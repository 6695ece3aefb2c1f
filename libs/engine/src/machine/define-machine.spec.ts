import { describe, expect, it } from 'vitest';
import { defineMachine } from './define-machine.js';

const end = { end: 'completed' } as const;

describe('defineMachine', () => {
  it('spells out every way of writing a target', () => {
    const { states } = defineMachine(
      'm',
      1,
      { A: { do: 'a', on: { one: 'B', two: { to: 'B', by: 'human' }, three: [{ to: 'A', when: 'g' }, 'B'] } }, B: end },
      { abortTo: 'B' },
    );
    expect(states['A']?.on).toEqual({
      one: [{ to: 'B' }],
      two: [{ to: 'B', by: 'human' }],
      three: [{ to: 'A', when: 'g' }, { to: 'B' }],
    });
    expect(states['B']).toEqual({ end: 'completed', on: {} });
  });

  it('begins in the first state unless told otherwise', () => {
    const states = { A: { do: 'a', on: { e: 'B' } }, B: end };
    expect(defineMachine('m', 1, states, { abortTo: 'B' }).initial).toBe('A');
    expect(defineMachine('m', 1, states, { abortTo: 'B', initial: 'B' }).initial).toBe('B');
    expect(defineMachine('m', 1, {}, { abortTo: 'B' }).initial).toBe('');
  });

  it('gives the branches of everywhere to working states alone, and lets a state have its own', () => {
    const { states } = defineMachine(
      'm',
      1,
      {
        WORK: { do: 'a', on: { e: 'GATE' } },
        OWN: { do: 'a', on: { stop: 'WORK' } },
        GATE: { gate: { name: 'g', ask: '?', options: { yes: 'y' } }, on: { y: 'END' } },
        END: { do: 'tidy', end: 'completed' },
      },
      { abortTo: 'END', everywhere: { stop: 'GATE' } },
    );
    const stops = Object.entries(states).map(([name, state]) => [name, state.on['stop']?.map((b) => b.to)]);
    expect(stops).toEqual([
      ['WORK', ['GATE']],
      ['OWN', ['WORK']],
      ['GATE', undefined],
      ['END', undefined],
    ]);
  });

  it('is plain data: it survives being stored', () => {
    const machine = defineMachine('m', 2, { A: { do: 'a', on: { e: 'B' } }, B: end }, { abortTo: 'B' });
    expect(JSON.parse(JSON.stringify(machine))).toEqual(machine);
  });

  it('keeps a state or an event named __proto__ as its own', () => {
    const states = JSON.parse('{"__proto__":{"do":"a","on":{"__proto__":"END"}},"END":{"end":"completed"}}') as {
      END: typeof end;
    };
    const machine = defineMachine('m', 1, states, { abortTo: 'END' });
    expect(Object.keys(machine.states)).toEqual(['__proto__', 'END']);
    expect(machine.initial).toBe('__proto__');
  });
});
