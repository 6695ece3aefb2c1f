import { describe, expect, it } from 'vitest';
import { tasksOf } from '../coding/coding-context.js';
import { byRole, eventOf, fakeParts, findingWith, taskOf, Visit } from '../coding/coding.fixture.js';
import { contextOf, patchOf } from '../coding/context.js';
import { checkWith, failingRun } from '../coding/proof/proof.fixture.js';
import { PLANNER } from '../coding/scoping/scope.activity.js';
import { scopeWork } from './scope-work.activity.js';

const PLANNED = {
  class: 'document',
  parts: [{ title: 'The report is there', interface: 'report.md', failingTests: [] }],
  steps: [{ title: 'Write it', detail: 'In report.md', parts: [1], findings: [], check: 'it is there' }],
  findings: [],
  failuresInScope: [],
};

async function scoped(context: object = {}, isSetUp = true) {
  const world = fakeParts({
    agent: byRole({ [PLANNER]: () => ({ output: PLANNED }) }),
    clean: () => failingRun('rounds prices'),
    isSetUp,
  });
  const tasks = [taskOf('T-001', { kind: 'step', title: 'Write the report' })];
  const { activity } = new Visit({ tasks, plan: { steps: [] }, ...context }, { state: 'SCOPING' });
  const project = { ...activity.project, machine: 'qralph-work' };
  const { type, patch } = eventOf(await scopeWork(world.parts)({ ...activity, project }));
  return { ...world, type, known: contextOf({ context: patch }) };
}

describe('SCOPING of a small team', () => {
  it('makes the baseline and the map first, and plans a document with one call', async () => {
    const { type, known, asked } = await scoped();
    expect([type, known.baseline?.verdict, known.repositoryMap]).toEqual(['plan:ready', 'failed', 'map']);
    expect(known.requestPlan).toMatchObject({ class: 'document', steps: [{ task: 'T-001', parts: [1] }] });
    expect(asked.map(({ role }) => role)).toEqual([PLANNER]);
    expect(asked[0]?.prompt).toMatch(/rounds prices[^]*Map of the repository/);
  });

  it('has every failing test in scope if the goal is green', async () => {
    const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', goal: 'green' };
    const { known } = await scoped({ order });
    expect(known.requestPlan?.scope).toMatchObject([{ name: 'rounds prices' }]);
  });

  it('runs the tests of the base once, however often a plan is approved', async () => {
    const { cleanRuns, known } = await scoped({ baseline: failingRun(), repositoryMap: 'map', conventions: '' });
    expect(cleanRuns).toEqual([]);
    expect(known.baseline).toBeUndefined();
  });

  it('plans the approved steps alone: findings are no tasks, and stay as they are', async () => {
    const findings = [findingWith('F-001', { relation: 'aside' }), findingWith('F-002', { relation: 'before' })];
    const { known, asked } = await scoped({ findings });
    expect(tasksOf({ context: patchOf(known) }).map(({ id }) => id)).toEqual(['T-001']);
    expect(known.findings).toBeUndefined();
    expect(asked[0]?.prompt).toContain('Title of F-001');
  });

  it('keeps no check of a plan that was revised', async () => {
    const { known } = await scoped({ checks: [checkWith('C-001')], lateChecks: ['tree'] });
    expect([known.checks, known.lateChecks]).toEqual([[], []]);
  });

  it('asks if the repository cannot be set up', async () => {
    const { type, known } = await scoped({}, false);
    expect([type, known.block?.cause]).toEqual(['work:blocked', 'setup']);
  });
});
