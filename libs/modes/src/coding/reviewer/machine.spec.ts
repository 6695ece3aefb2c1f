import { describe, expect, it } from 'vitest';
import { machineFaults } from '#engine';
import { from } from '../../walk.fixture.js';
import { reviewGuards, reviewMachine } from './machine.js';

describe('review', () => {
  it('is sound, and can end in two ways', () => {
    const guards = new Set(Object.keys(reviewGuards));
    expect(machineFaults(reviewMachine, { activities: new Set(['review-code']), guards })).toEqual([]);
    expect(from(reviewMachine, 'READING').on('review:handed-in').status).toBe('completed');
    expect(from(reviewMachine, 'READING').on('review:unaffordable').status).toBe('aborted');
  });

  it('seats a reviewer once more if its work cannot be used; after that it is lost', () => {
    const walk = from(reviewMachine, 'READING').on('review:unusable').on('review:unusable');
    expect([walk.path, walk.status]).toEqual([['READING', 'READING', 'LOST'], 'aborted']);
    const second = from(reviewMachine, 'READING').on('review:unusable').on('review:handed-in');
    expect([second.state, second.status]).toEqual(['DONE', 'completed']);
  });

  it('reads a third time if its seat went to the next tier, and never a fourth time', () => {
    const raised = from(reviewMachine, 'READING', { 'seat-is-raised': true });
    const walk = raised.on('review:unusable').on('review:unusable').on('review:unusable');
    expect([walk.path, walk.status]).toEqual([['READING', 'READING', 'READING', 'LOST'], 'aborted']);
  });
});
