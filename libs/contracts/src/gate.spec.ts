import { expect, it } from 'vitest';
import { DecideGate } from './gate.js';

it('a decision is based on a checkpoint that a project can have: what the store has no number for is not asked of it', () => {
  const isTaken = (checkpoint: number): boolean => DecideGate.safeParse({ decision: 'approve', checkpoint }).success;
  expect([1, 2_147_483_647].map(isTaken)).toEqual([true, true]);
  expect([0, -1, 1.5, 2_147_483_648, Number.MAX_SAFE_INTEGER].some(isTaken)).toBe(false);
});
