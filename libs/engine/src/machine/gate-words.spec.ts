import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMachine, type StateSketch } from './define-machine.js';
import { wordFaults } from './gate-words.js';
import type { Gate } from './machine.js';
import { anyMachine } from './machine.fixture.js';

const timer = { event: 'late', ms: 1_000 };
const options = { yes: 'agreed', no: 'refused' };
const on = { agreed: 'END', refused: 'END', late: 'END' };

function faults(words: Omit<Partial<Gate>, 'name'>, more: Partial<StateSketch> = {}): string[] {
  const gate = { name: 'go', ask: 'Go on?', options, ...words };
  const states = { ASK: { gate, on, ...more }, END: { end: 'completed' } } as const;
  return wordFaults(defineMachine('m', 3, states, { abortTo: 'END' }));
}

describe('what a gate tells whoever decides', () => {
  const consequences = { yes: 'It goes on.', no: 'It ends.' };

  it('is whole where each option has its consequence, and a timer what happens by itself', () => {
    expect(faults({ consequences })).toEqual([]);
    expect(faults({ consequences, default: 'It ends.' }, { timer })).toEqual([]);
  });

  it.each<[string, Partial<Gate>, Partial<StateSketch>, string[]]>([
    ['no consequences at all', {}, {}, ['ASK does not say what yes leads to', 'ASK does not say what no leads to']],
    ['an option without one', { consequences: { yes: 'It goes on.' } }, {}, ['ASK does not say what no leads to']],
    ['a blank one', { consequences: { ...consequences, no: ' ' } }, {}, ['ASK does not say what no leads to']],
    ['an inherited one', { options: { constructor: 'agreed' } }, {}, ['ASK does not say what constructor leads to']],
    [
      'one of no option',
      { consequences: { ...consequences, maybe: 'It waits.' } },
      {},
      ['ASK says what maybe leads to, which is no option there'],
    ],
    ['a timer without words', { consequences }, { timer }, ['ASK has a timer and does not say what happens by itself']],
    [
      'words without a timer',
      { consequences, default: 'It ends.' },
      {},
      ['ASK says what happens by itself, but has no timer'],
    ],
  ])('lacks something with %s', (_what, words, more, expected) => {
    expect(faults(words, more)).toEqual(expected.map((fault) => `m@3: ${fault}`));
  });

  it('is asked for at gates alone, and never throws', () => {
    const resting = { REST: { timer, on: { late: 'END' } }, END: { end: 'completed' } } as const;
    expect(wordFaults(defineMachine('m', 1, resting, { abortTo: 'END' }))).toEqual([]);
    fc.assert(
      fc.property(anyMachine, (machine) => {
        for (const fault of wordFaults(machine)) expect(fault).toMatch(/^any@1: ./);
      }),
    );
  });
});
