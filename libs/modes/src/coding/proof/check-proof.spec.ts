import { expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { fakeParts, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { checkProof } from './check-proof.js';
import { checkWith, failingRun, greenRun, planWith, redRun } from './proof.fixture.js';

const CHECK = checkWith('C-001');

async function check(answer: () => VerifyReport, context: object = {}, changed: readonly string[] = ['src/theme.mjs']) {
  const clean = ({ commands }: CleanRun) => (commands?.[0] === CHECK.command ? answer() : failingRun());
  const world = fakeParts({ clean, changed, agent: () => ({}) });
  const known = { baseline: failingRun(), verification: failingRun(), requestPlan: planWith(), checks: [CHECK] };
  const { activity } = new Visit({ ...known, ...context });
  const task = taskOf('T-009', { kind: 'proof' });
  return { ...world, outcome: await checkProof(world.parts, activity, WORKTREE, { task, commit: 'healed' }) };
}

it('holds if the whole result is proven now', async () => {
  const { outcome, cleanRuns } = await check(() => greenRun());
  expect(outcome).toMatchObject({ kind: 'held', patch: { flakyTests: [] } });
  expect(cleanRuns.every(({ tree }) => tree.commit === 'healed')).toBe(true);
});

it('fails with what is still missing, for the next attempt', async () => {
  const { outcome } = await check(() => redRun('it is light'));
  expect(outcome).toMatchObject({ kind: 'failed', comparison: { isCheck: true } });
  expect(outcome.kind === 'failed' ? outcome.comparison.newFailures.join() : '').toContain(CHECK.title);
});

it('fails if the attempt left no change at all', async () => {
  expect((await check(() => greenRun(), {}, [])).outcome).toMatchObject({
    kind: 'failed',
    comparison: { newFailures: ['The change is empty.'] },
  });
});

it('holds if only something is missing that no attempt can heal: the proof asks a person then', async () => {
  const { outcome } = await check(() => greenRun(), { checks: [] });
  expect(outcome.kind).toBe('held');
});

it('holds without a plan or a baseline: there is nothing to judge by', async () => {
  expect((await check(() => redRun(), { requestPlan: null })).outcome).toEqual({ kind: 'held', patch: {} });
  expect((await check(() => redRun(), { baseline: undefined })).outcome.kind).toBe('held');
});
