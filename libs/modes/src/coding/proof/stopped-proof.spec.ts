import { expect, it } from 'vitest';
import { eventOf, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { failingRun, planWith } from './proof.fixture.js';
import { proveResult } from './prove-result.js';

const STEP = taskOf('T-001', { status: 'completed', commit: 'c1' });
const ASIDE = taskOf('T-002', { kind: 'finding', finding: 'F-001', status: 'completed', commit: 'c2' });
const breaker = { name: 'usd', cap: '1.00', used: '0.95', reserved: '0.00', wanted: '0.20' };

/** What a person reads if the inspector cannot be paid. */
async function askedWith(tasks: readonly object[]): Promise<string> {
  const { parts } = fakeParts({
    changed: ['src/theme.mjs'],
    agent: () => ({ kind: 'over-budget', breaker, commit: 'c2' }),
  });
  const plan = planWith({ class: 'keeps-behaviour' });
  const findings = [findingWith('F-001', { relation: 'aside' })];
  const known = { commit: 'c2', verifiedAt: 'c2', verification: failingRun(), tasks, findings, requestPlan: plan };
  const { activity } = new Visit(known);
  const { type, patch } = eventOf(await proveResult(parts, activity, WORKTREE, { plan, baseline: failingRun() }));
  expect(type).toBe('work:blocked');
  const { block, why } = contextOf({ context: patch });
  expect(block?.cause).toBe('budget');
  return why ?? '';
}

it('a person reads that the result is not proven yet if the budget is spent at the proof', async () => {
  const screen = await askedWith([STEP]);
  expect(screen).toMatch(/^The budget is too small: 0\.95 of 1\.00 USD are used/);
  expect(screen).toContain('Not proven yet: the tasks are done, but the proof of the result is not.\n');
  expect(screen).toContain('Likely best answer: raise the budget.');
});

it('a person reads which fixes beside the request were committed before', async () => {
  expect(await askedWith([STEP, ASIDE])).toContain('Fixes beside the request are among them: T-002.');
});
