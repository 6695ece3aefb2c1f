import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { currentOf, cutShortBy, listed, resolvedBlock, tasksOf } from './coding-context.js';
import { taskOf } from './coding.fixture.js';

const at = (context: Readonly<Record<string, Json>>, state = 'UAT', visit = 5) => ({ context, state, visit });

describe('a command that cut the last visit short', () => {
  const command = { command: 'SKIP', state: 'UAT', visit: 4 };

  it('counts in the visit right after it', () => {
    expect(cutShortBy(at({ command }))).toBe('SKIP');
    expect(cutShortBy(at({ command }, 'UAT', 6))).toBeNull();
    expect(cutShortBy(at({ command }, 'UAT', 4))).toBeNull();
  });

  it('counts in its own state alone', () => {
    expect(cutShortBy(at({ command }, 'EXECUTING'))).toBeNull();
    expect(cutShortBy(at({}))).toBeNull();
  });
});

describe('a block that a person resolved', () => {
  const block = { cause: 'uat', message: 'x' };

  it('is known by its cause, with the decision or the command that left it', () => {
    const decision = { gate: 'resolve-problem', decision: 'defer' };
    expect(resolvedBlock(at({ block, decision }))).toEqual({ cause: 'uat', decision: 'defer' });
    const command = { command: 'RETRY', state: 'BLOCKED', visit: 4 };
    expect(resolvedBlock(at({ block, command }))).toEqual({ cause: 'uat', decision: 'RETRY' });
  });

  it('is none without a block, at another gate, or by an older command', () => {
    expect(resolvedBlock(at({ decision: { gate: 'resolve-problem', decision: 'defer' } }))).toBeNull();
    expect(resolvedBlock(at({ block, decision: { gate: 'plan', decision: 'approve' } }))).toBeNull();
    expect(resolvedBlock(at({ block, command: { command: 'RETRY', state: 'BLOCKED', visit: 3 } }))).toBeNull();
    expect(resolvedBlock(at({ block, command: { command: 'SKIP', state: 'UAT', visit: 4 } }))).toBeNull();
  });

  it('is left by a raised cap too, which is no decision', () => {
    expect(resolvedBlock(at({ block: { cause: 'budget' } }))).toEqual({ cause: 'budget', decision: 'raise' });
    expect(resolvedBlock(at({ block }))).toBeNull();
  });

  it('is none where a command cut short the visit that heeded the decision', () => {
    const decision = { gate: 'resolve-problem', decision: 'resolve' };
    const command = { command: 'SKIP', state: 'UAT', visit: 4 };
    expect(resolvedBlock(at({ block, decision, command }))).toBeNull();
  });

  it('is by the newer of the two where an old decision is still there', () => {
    const decision = { gate: 'resolve-problem', decision: 'resolve' };
    const command = { command: 'RETRY', state: 'BLOCKED', visit: 4 };
    expect(resolvedBlock(at({ block, decision, command }))?.decision).toBe('RETRY');
  });
});

it('the current task is the one that was begun, and never a review', () => {
  const begun = { status: 'in_progress' } as const;
  const tasks = [taskOf('T-001', { kind: 'review', ...begun }), taskOf('T-002'), taskOf('T-003', begun)];
  expect(currentOf({ context: { tasks: listed(tasks) } })?.id).toBe('T-003');
  expect(currentOf({ context: {} })).toBeNull();
  expect(tasksOf({ context: {} })).toEqual([]);
});
