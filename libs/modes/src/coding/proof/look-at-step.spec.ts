import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { INSPECTOR } from './inspect.js';
import { lookAtStep } from './look-at-step.js';
import { checkWith, planWith } from './proof.fixture.js';
import { ARBITER } from './rule-on-check.js';

interface World {
  readonly context?: object;
  readonly isDone?: boolean;
  readonly kind?: 'request' | 'proof';
  readonly claim?: string;
}

async function look({ context = {}, isDone = true, kind = 'request', claim }: World) {
  const output = { parts: [{ part: 1, isDone, why: 'I read it' }], findings: [], tests: [] };
  const world = fakeParts({
    agent: byRole({
      [INSPECTOR]: () => ({ output }),
      [ARBITER]: () => ({ output: { isInspectorWrong: true, why: 'theme.mjs is dark' } }),
    }),
  });
  const { activity } = new Visit({ requestPlan: planWith(), ...context });
  const wish = { task: taskOf('T-001', { kind }), commit: 'healed', ...(claim !== undefined && { claim }) };
  const outcome = await lookAtStep(world.parts, activity, WORKTREE, wish);
  return { outcome, roles: world.asked.map(({ role }) => role), prompts: world.asked.map(({ prompt }) => prompt) };
}

describe('a step after a heal', () => {
  it('is read by an inspector if no check and no test can tell', async () => {
    const { outcome, roles } = await look({});
    expect([outcome.kind, roles]).toEqual(['held', [INSPECTOR]]);
  });

  it.each([
    ['a check tells', { context: { checks: [checkWith('C-001')] } }],
    ['a test tells', { context: { requestPlan: planWith({ scope: [{ name: 'rounds', reason: 'r' }] }) } }],
    ['there is no plan', { context: { requestPlan: null } }],
    ['the task is no step of the request', { kind: 'proof' as const }],
  ])('needs no inspector if %s', async (_title, world) => {
    const { outcome, roles } = await look({ ...world, isDone: false });
    expect([outcome, roles]).toEqual([{ kind: 'held', patch: {} }, []]);
  });

  it('is read by its own words if it completes no part', async () => {
    const [first] = planWith().steps;
    const steps = [
      { ...first!, title: 'Rename the folder', parts: [] },
      { ...first!, task: 'T-002' },
    ];
    const context = { requestPlan: planWith({ steps }), checks: [checkWith('C-001')] };
    const { outcome, roles, prompts } = await look({ context, isDone: false });
    expect([outcome.kind, roles]).toEqual(['failed', [INSPECTOR]]);
    expect(prompts[0]).toContain('This step of the plan is done: Rename the folder');
  });

  it('is read by its own words though it is the last one, and a test that no part names passes', async () => {
    const [first] = planWith().steps;
    const steps = [
      { ...first!, task: 'T-000' },
      { ...first!, title: 'Describe it', parts: [] },
    ];
    const plan = planWith({ steps, scope: [{ name: 'rounds', reason: 'r' }] });
    const { outcome, roles } = await look({ context: { requestPlan: plan }, isDone: false });
    expect([outcome.kind, roles]).toEqual(['failed', [INSPECTOR]]);
  });

  it.each([
    ['another step works on its part too', [1], 'Describe it'],
    ['the planner gave it the parts of all steps', [], 'Describe it'],
  ])('is read by its own words, though a check tells of the part, if %s', async (_title, partsOfFirst, title) => {
    const [first] = planWith().steps;
    const steps = [
      { ...first!, task: 'T-000', parts: partsOfFirst },
      { ...first!, title, parts: [1] },
    ];
    const context = { requestPlan: planWith({ steps }), checks: [checkWith('C-001')] };
    const { outcome, prompts } = await look({ context, isDone: false });
    expect(outcome.kind).toBe('failed');
    expect(prompts[0]).toContain(`This step of the plan is done: ${title}`);
  });

  it('is read from the base on if nothing changed since the last good commit', async () => {
    const begins: string[] = [];
    const output = { parts: [{ part: 1, isDone: true, why: 'I read it' }], findings: [], tests: [] };
    const { parts } = fakeParts({
      agent: byRole({ [INSPECTOR]: () => ({ output }) }),
      between: (from) => (begins.push(from), null),
    });
    const { activity } = new Visit({ requestPlan: planWith(), good: { commit: 'good', checkpoint: 1 } });
    for (const commit of ['good', 'healed']) {
      await lookAtStep(parts, { ...activity, effect: new Visit({}).activity.effect }, WORKTREE, {
        task: taskOf('T-001'),
        commit,
      });
    }
    expect(begins).toEqual(['base', 'good']);
  });

  it('is read if its only check was dropped', async () => {
    expect((await look({ context: { checks: [checkWith('C-001', { dropped: 'wrong' })] } })).roles).toEqual([
      INSPECTOR,
    ]);
  });

  it('has failed if the inspector says that it is no longer done', async () => {
    const { outcome } = await look({ isDone: false });
    expect(outcome).toMatchObject({
      kind: 'failed',
      comparison: { isCheck: true, newFailures: ['The step is not done: I read it'] },
    });
  });

  it('holds if a third agent overrules the inspector after a claim', async () => {
    const { outcome, roles } = await look({ isDone: false, claim: 'it is dark' });
    expect([outcome.kind, roles]).toEqual(['held', [INSPECTOR, ARBITER]]);
  });
});
