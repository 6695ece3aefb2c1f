import { describe, expect, it } from 'vitest';
import { limitWarning } from './limit-warning.js';

const limits = { turns: 10, wallMs: 100_000 };

describe('the warning about limits', () => {
  it.each([
    ['at 80 % of the turns', { turns: 8, ms: 0 }],
    ['at 80 % of the time', { turns: 1, ms: 80_000 }],
    ['before the last turn', { turns: 9, ms: 99_000 }],
  ])('is given %s', (_when, used) => {
    expect(limitWarning(used, limits)).toContain('your limits are nearly reached');
  });

  it.each([
    ['before the first turn of a task that has only one', { turns: 0, ms: 0 }, { turns: 1, wallMs: 1_000 }],
    ['below both shares', { turns: 7, ms: 79_999 }, limits],
    ['when no turn is left', { turns: 10, ms: 0 }, limits],
    ['when no time is left', { turns: 1, ms: 100_000 }, limits],
  ])('is not given %s', (_when, used, given) => {
    expect(limitWarning(used, given)).toBeNull();
  });

  it('warns a task of three turns before its last one', () => {
    expect(limitWarning({ turns: 1, ms: 0 }, { turns: 3, wallMs: 1_000 })).toBeNull();
    expect(limitWarning({ turns: 2, ms: 0 }, { turns: 3, wallMs: 1_000 })).toContain('1 turn of 3');
  });

  it('says how much is left and that a fresh conversation can continue', () => {
    const text = limitWarning({ turns: 8, ms: 40_000 }, limits) ?? '';
    expect(text).toContain('2 turns of 10 and 60 seconds of 100 seconds left');
    expect(text).toContain('Finish now');
    expect(text).toContain('A fresh conversation can continue from the files');
  });
});
