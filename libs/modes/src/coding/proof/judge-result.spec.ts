import { expect, it } from 'vitest';
import { byRole, fakeParts, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { gatherFacts } from './gather-facts.js';
import { judgeResult } from './judge-result.js';
import { checkWith, failingRun, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';

const steps = ['T-001', 'T-002'].map((task, index) => ({
  ...{ task, title: `Step ${task}`, parts: [index + 1], findings: [], check: '' },
}));
const parts = ['dark', 'light'].map((title) => ({ title, interface: '', failingTests: [] }));

/** The first part is proven, the second one is not. */
async function judge(deferred: readonly string[]) {
  const plan = planWith({ steps, parts });
  const baseline = failingRun();
  const checks = [checkWith('C-001'), checkWith('C-002', { part: 2 })];
  const world = fakeParts({
    changed: ['src/theme.mjs'],
    agent: byRole(readsParts(1, 2)),
    clean: ({ commands }) => (commands?.[0] === checks[1]?.command ? redRun() : greenRun()),
  });
  const tasks = steps.map(({ task }) => taskOf(task, { status: deferred.includes(task) ? 'deferred' : 'completed' }));
  const { activity } = new Visit({ requestPlan: plan, checks, tasks, baseline });
  const wish = { commit: 'done', plan, baseline, known: failingRun() };
  const gathered = await gatherFacts(world.parts, activity, WORKTREE, wish);
  if (gathered.kind === 'stopped') throw new Error('Nothing stops here.');
  return judgeResult(activity, gathered.facts, gathered.patch);
}

it('judges all parts if no step was put off', async () => {
  const { judgement, putOff } = await judge([]);
  expect([judgement.proven, judgement.failings.map(({ rule }) => rule), putOff]).toEqual(['no', ['c'], []]);
});

it('judges the rest if a person put off a step, and names that step', async () => {
  const { judgement, putOff } = await judge(['T-002']);
  expect([judgement.proven, judgement.failings, putOff]).toEqual(['yes', [], ['Step T-002']]);
  expect((await judge(['T-001'])).judgement.proven).toBe('no');
});

it('asks for no part if every step was put off', async () => {
  const { judgement, putOff } = await judge(['T-001', 'T-002']);
  expect([judgement.failings, putOff.length]).toEqual([[], 2]);
});
