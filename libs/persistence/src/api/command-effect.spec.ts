import { describe, expect, it } from 'vitest';
import { effectOf } from './command-effect.js';

const applied = { type: 'signal.applied', data: { id: 'c-1', kind: 'command' } };
const entered = (from: string, to: string) => ({ type: 'state.entered', data: { from, to } });

describe('what became of a command', () => {
  it.each([
    ['EXECUTING', 'UAT', 'EXECUTING to UAT'],
    ['EXECUTING', 'EXECUTING', 'goes on in EXECUTING'],
  ])('is told in words, from %s to %s', (from, to, effect) => {
    expect(effectOf([applied, entered(from, to)])).toEqual([['c-1', { outcome: 'applied', effect }]]);
  });
});
