import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import type { CleanRun, VerifyReport } from '#workspace';
import { byRole, fakeParts, findingWith, scenarioOf, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { checkTask } from './check-task.js';
import { checkWith, failingRun, greenRun, planWith, redRun } from './proof.fixture.js';
import { INSPECTOR } from './inspect.js';
import { ARBITER } from './rule-on-check.js';

interface World {
  readonly task?: ProjectTask;
  readonly context?: object;
  readonly clean?: (run: CleanRun) => VerifyReport;
  readonly agent?: () => object;
  readonly claim?: string;
}

async function check({
  task = taskOf('T-001'),
  context = {},
  clean = () => greenRun(),
  agent = () => ({}),
  claim,
}: World) {
  const world = fakeParts({ clean, agent: byRole({ [ARBITER]: agent }) });
  const { activity } = new Visit({ requestPlan: planWith(), verification: failingRun(), ...context });
  const wish = { task, commit: 'left', ...(claim !== undefined && { wrongCheck: claim }) };
  return { ...world, outcome: await checkTask(world.parts)(activity, WORKTREE, wish) };
}

describe('a step of the request', () => {
  it('is done if its checks pass', async () => {
    const { outcome, cleanRuns } = await check({ context: { checks: [checkWith('C-001')] } });
    expect(outcome).toEqual({ kind: 'held', patch: {} });
    expect(cleanRuns).toMatchObject([{ tree: { commit: 'left', files: checkWith('C-001').files } }]);
  });

  it('is not done if a check fails; the healer reads its title, command, output and files', async () => {
    const { outcome } = await check({ context: { checks: [checkWith('C-001')] }, clean: () => redRun('it is light') });
    const { title, command } = checkWith('C-001');
    expect(outcome).toMatchObject({
      kind: 'failed',
      comparison: { isCheck: true, newFailures: [title], worst: { command } },
    });
    const { worst, checkFiles } = outcome.kind === 'failed' ? outcome.comparison : {};
    expect([worst?.output, checkFiles]).toEqual([
      expect.stringContaining('it is light'),
      expect.stringContaining('assert(isDark)'),
    ]);
    expect(worst?.output).not.toContain('isDark');
  });

  it('goes on if a check passes in a second run on the same files: the proof judges a flaky check', async () => {
    let runs = 0;
    const clean = () => ((runs += 1) === 1 ? redRun() : greenRun());
    const { outcome, cleanRuns } = await check({ context: { checks: [checkWith('C-001')] }, clean });
    expect([outcome, cleanRuns.length]).toEqual([{ kind: 'held', patch: {} }, 2]);
  });

  it('is judged by the checks of the parts that it completes, and by no others', async () => {
    const steps = ['T-001', 'T-002'].map((task) => ({ task, title: task, parts: [1], findings: [], check: '' }));
    const context = {
      requestPlan: planWith({ steps }),
      checks: [checkWith('C-001'), checkWith('C-002', { dropped: 'wrong' })],
    };
    expect((await check({ context })).cleanRuns).toEqual([]);
    expect((await check({ context, task: taskOf('T-002') })).cleanRuns).toHaveLength(1);
  });

  it('is read by another agent if it changed nothing and completes no part', async () => {
    const steps = ['T-001', 'T-002'].map((task) => ({ task, title: task, parts: [1], findings: [], check: '' }));
    const output = { parts: [{ part: 1, isDone: false, why: 'no such folder' }], findings: [], tests: [] };
    const world = fakeParts({ agent: byRole({ [INSPECTOR]: () => ({ output }) }) });
    const { activity } = new Visit({ requestPlan: planWith({ steps }), verification: failingRun() });
    const checked = (more: object) =>
      checkTask(world.parts)(activity, WORKTREE, { task: taskOf('T-001'), commit: 'base', ...more });
    expect((await checked({})).kind).toBe('held');
    expect(await checked({ isDoneBefore: true })).toMatchObject({
      kind: 'failed',
      comparison: { newFailures: ['The step is not done: no such folder'] },
    });
  });

  it('is read by another agent if it shares its part with an earlier step, though the check holds', async () => {
    const steps = ['T-001', 'T-002'].map((task) => ({ task, title: task, parts: [1], findings: [], check: '' }));
    const output = { parts: [{ part: 1, isDone: false, why: 'README.md is silent' }], findings: [], tests: [] };
    const world = fakeParts({ agent: byRole({ [INSPECTOR]: () => ({ output }) }) });
    const { activity } = new Visit({
      ...{ requestPlan: planWith({ steps }), verification: failingRun(), checks: [checkWith('C-001')] },
    });
    const wish = { task: taskOf('T-002'), commit: 'left', isDoneBefore: false };
    expect((await checkTask(world.parts)(activity, WORKTREE, wish)).kind).toBe('failed');
  });

  describe('that names no part', () => {
    const [first] = planWith().steps;
    const steps = [first!, { ...first!, task: 'T-002', title: 'Describe it in README.md', parts: [] }];
    const context = {
      requestPlan: planWith({ steps, scope: [{ name: 'rounds', reason: 'r' }] }),
      verification: failingRun(),
      checks: [checkWith('C-001')],
      good: { commit: 'first', checkpoint: 1 },
    };
    const checkReadme = async (isDone: boolean, more: object) => {
      const output = { parts: [{ part: 1, isDone, why: 'README.md is silent' }], findings: [], tests: [] };
      const world = fakeParts({ agent: byRole({ [INSPECTOR]: () => ({ output }) }) });
      const { activity } = new Visit(context);
      const wish = { task: taskOf('T-002'), commit: 'left', ...more };
      const outcome = await checkTask(world.parts)(activity, WORKTREE, wish);
      return { outcome, prompts: world.asked.map(({ prompt }) => prompt) };
    };

    it.each([true, false])('is read by another agent, though the tests in scope pass (unchanged: %s)', async (same) => {
      const { outcome, prompts } = await checkReadme(false, { isDoneBefore: same });
      expect(outcome).toMatchObject({
        kind: 'failed',
        comparison: { newFailures: ['The step is not done: README.md is silent'] },
      });
      expect(prompts[0]).toContain('This step of the plan is done: Describe it in README.md');
      expect((await checkReadme(true, { isDoneBefore: same })).outcome.kind).toBe('held');
    });

    it('is not read here after a heal: another look follows', async () => {
      expect(await checkReadme(false, { isUnchanged: false })).toMatchObject({
        outcome: { kind: 'held' },
        prompts: [],
      });
    });
  });

  it('is not done if a failure in scope is still there that it should have settled', async () => {
    const parts = [{ title: 'a', interface: '', failingTests: ['rounds'] }];
    const requestPlan = planWith({ parts, scope: [{ name: 'rounds', reason: 'r' }] });
    const verification = failingRun('rounds', 'known failure');
    const { outcome } = await check({ context: { requestPlan, verification } });
    expect(outcome).toMatchObject({
      kind: 'failed',
      comparison: { newFailures: ['rounds'], worst: { command: 'npm test' } },
    });
    const flaky = await check({ context: { requestPlan, verification, flakyTests: ['rounds'] } });
    expect(flaky.outcome.kind).toBe('held');
  });

  it('does not have to settle what a later step completes', async () => {
    const steps = ['T-001', 'T-002'].map((task) => ({ task, title: task, parts: [1], findings: [], check: '' }));
    const requestPlan = planWith({ steps, scope: [{ name: 'rounds', reason: 'r' }] });
    const context = { requestPlan, verification: failingRun('rounds') };
    expect((await check({ context })).outcome.kind).toBe('held');
    expect((await check({ context, task: taskOf('T-002') })).outcome.kind).toBe('failed');
  });

  it('holds if there is no plan', async () => {
    expect((await check({ context: { requestPlan: undefined } })).outcome.kind).toBe('held');
  });

  it('stays undone if its implementer calls the check wrong and the arbiter does not', async () => {
    const agent = () => ({ output: { isCheckWrong: false, isDemanded: true, why: 'the request says so' } });
    const { outcome, asked } = await check({
      context: { checks: [checkWith('C-001')] },
      clean: () => redRun(),
      claim: 'it is impossible',
      agent,
    });
    expect([outcome.kind, asked.map(({ role }) => role)]).toEqual(['failed', [ARBITER]]);
  });

  it('stops if the arbiter is out of budget', async () => {
    const agent = () => ({ kind: 'over-budget', breaker: { by: 'usd' }, commit: 'left' });
    const context = { checks: [checkWith('C-001')] };
    const { outcome } = await check({ context, clean: () => redRun(), claim: 'wrong', agent });
    expect(outcome).toMatchObject({ kind: 'stopped', outcome: { kind: 'over-budget' } });
  });
});

describe('a task that completes the proof', () => {
  it('needs all checks and all failures in scope, whatever part they belong to', async () => {
    const task = taskOf('T-009', { kind: 'proof' });
    const requestPlan = planWith({ scope: [{ name: 'rounds', reason: 'r' }] });
    const checks = [checkWith('C-001'), checkWith('C-002', { part: 2 })];
    expect((await check({ task, context: { checks } })).cleanRuns).toHaveLength(2);
    const { outcome } = await check({ task, context: { requestPlan, verification: failingRun('rounds') } });
    expect(outcome.kind).toBe('failed');
  });
});

describe('a task for a proof that an inspector refuses', () => {
  const task = taskOf('T-009', { kind: 'proof' });
  const context = {
    ...{ baseline: failingRun(), requestPlan: planWith({ class: 'document' }), checks: [], problem: 'P-001' },
  };
  const refuse = async (
    more: Pick<World, 'claim'> & {
      readonly attempt?: number;
      readonly healAttempts?: number;
      readonly isUnchanged?: boolean;
    },
  ) => {
    const { claim, attempt = 1, isUnchanged = false, ...known } = more;
    const refused = { parts: [{ part: 1, isDone: false, why: 'I see none' }], findings: [], tests: [] };
    const world = fakeParts({
      changed: ['README.md'],
      agent: byRole({
        [INSPECTOR]: () => ({ output: refused }),
        [ARBITER]: () => ({ output: { isInspectorWrong: true, why: 'README.md says it' } }),
      }),
    });
    const counters = { 'heal-attempts/P-001': attempt };
    const { activity } = new Visit({ ...context, ...known, verification: failingRun() }, { counters });
    const wish = { task, commit: 'left', wrongCheck: claim ?? null, isUnchanged };
    return checkTask(world.parts)(activity, WORKTREE, wish);
  };

  it('fails as long as neither an engineer disputes it nor the attempts are over', async () => {
    expect((await refuse({ attempt: 4 })).kind).toBe('failed');
  });

  it('holds if a third agent overrules the inspector after a claim, or at the last attempt', async () => {
    expect((await refuse({ claim: 'README.md has it' })).kind).toBe('held');
    expect((await refuse({ isUnchanged: true })).kind).toBe('held');
    expect((await refuse({ attempt: 5 })).kind).toBe('held');
    expect((await refuse({ attempt: 2, healAttempts: 2 })).kind).toBe('held');
  });
});

describe('a scenario that sent the work back', () => {
  const task = taskOf('T-005', { kind: 'scenario', title: 'S-001 Title of S-001' });
  const context = { scenarios: [scenarioOf('S-001'), scenarioOf('S-002', { command: 'node other.js' })] };

  it('is tried again in the clean room by its command', async () => {
    const { outcome, cleanRuns } = await check({ task, context });
    expect([outcome.kind, cleanRuns]).toMatchObject([
      'held',
      [
        { tree: { commit: 'left' }, commands: ['node check.js'] },
        { tree: { commit: 'left' }, commands: ['node check.js'] },
      ],
    ]);
    const failed = await check({ task, context, clean: () => redRun() });
    expect(failed.outcome).toMatchObject({
      kind: 'failed',
      comparison: { newFailures: ['Title of S-001'], isCheck: true },
    });
  });

  it('is left to UAT if it passes and fails on the same files', async () => {
    let nth = 0;
    const clean = () => ((nth += 1) === 1 ? redRun() : greenRun());
    const { outcome, cleanRuns } = await check({ task, context, clean, claim: 'it is flaky' });
    expect([outcome, cleanRuns.length]).toEqual([{ kind: 'held', patch: {} }, 2]);
  });

  it('waits for UAT if it has no command', async () => {
    const { outcome, cleanRuns } = await check({
      task,
      context: { scenarios: [scenarioOf('S-001', { command: null })] },
    });
    expect([outcome.kind, cleanRuns]).toEqual(['held', []]);
  });
});

it.each(['feedback', 'step', 'review'] as const)('a task of kind %s has no check here', async (kind) => {
  expect((await check({ task: taskOf('T-001', { kind }) })).outcome).toEqual({ kind: 'held', patch: {} });
});

it('a finding of the lowest urgency needs no look', async () => {
  const task = taskOf('T-001', { kind: 'finding', finding: 'F-001' });
  const { outcome, asked } = await check({ task, context: { findings: [findingWith('F-001', { priority: 'P2' })] } });
  expect([outcome.kind, asked]).toEqual(['held', []]);
});
