import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { ProjectTask } from '#contracts';
import type { Comparison } from '#self-heal';
import type { CleanRun, VerifyReport } from '#workspace';
import { byRole, fakeParts, taskOf, verifiedAs, Visit, WORKTREE } from './coding.fixture.js';
import { judgeAttempt } from './judge-attempt.js';
import { INSPECTOR } from './proof/inspect.js';
import { checkWith, failingRun, greenRun, planWith, redRun } from './proof/proof.fixture.js';
import { ARBITER } from './proof/rule-on-check.js';
import { implementerStrategy } from './task-strategy.js';

const NO_WORSE: Comparison = { isNoWorse: true, newFailures: [], oldFailures: [], worst: null };
const PATH = 'test/price.test.mjs';
const REMOVED = `diff --git a/${PATH} b/${PATH}\n--- a/${PATH}\n+++ b/${PATH}\n@@ -1,3 +0,0 @@\n-test('rounds', () => {\n-  assert(!isDark(theme));\n-});\n`;

interface World {
  readonly task?: ProjectTask;
  readonly context?: object;
  readonly agents?: Readonly<Record<string, (task: AgentTask) => Partial<AgentOutcome>>>;
  readonly tests?: () => string;
  readonly clean?: (run: CleanRun) => VerifyReport | null;
  readonly attempt?: Partial<Parameters<typeof judgeAttempt>[3]>;
}

async function judge({ context = {}, agents = {}, attempt = {}, task = taskOf('T-001'), ...world }: World = {}) {
  const parts = fakeParts({ agent: byRole(agents), changed: ['src/a.mjs'], ...world });
  const tasks = [{ ...task, status: 'in_progress' }];
  const { activity } = new Visit({
    baseline: failingRun(),
    requestPlan: planWith(),
    checks: [checkWith('C-001')],
    tasks,
    ...context,
  });
  const judged = await judgeAttempt(parts.parts, activity, WORKTREE, {
    ...{ result: failingRun(), comparison: NO_WORSE, startCommit: 'broken', commit: 'healed', isUndone: false },
    ...{ wrongCheck: null, found: null, strategies: () => implementerStrategy(parts.parts) },
    ...attempt,
  });
  return { ...parts, judged, why: judged.kind === 'judged' ? judged.why : judged.kind };
}

const inspects = (more: object) => ({
  [INSPECTOR]: () => ({ output: { parts: [], findings: [], tests: [], ...more } }),
});

describe('an attempt counts', () => {
  it('if nothing is worse and the checks of its task pass', async () => {
    const { why, cleanRuns } = await judge();
    expect([why, cleanRuns.map(({ tree }) => tree.commit)]).toEqual([null, ['healed']]);
  });

  it('if it removed a test that the request contradicts, in words that the request has', async () => {
    const agents = inspects({ tests: [{ test: `${PATH}: rounds`, quote: 'Add dark mode', why: 'w' }] });
    const { why, asked } = await judge({ tests: () => REMOVED, agents });
    expect([why, asked.map(({ role }) => role)]).toEqual([null, [INSPECTOR]]);
  });
});

describe('an attempt that changes nothing after a rollback', () => {
  const steps = ['T-001', 'T-002'].map((task) => ({ ...planWith().steps[0], task }));
  const tasks = (commit: string | null) => [
    { ...taskOf('T-001'), status: 'completed', commit },
    { ...taskOf('T-002'), status: 'in_progress' },
  ];
  const unchanged = (commit: string | null, more: object = {}, clean = () => greenRun()) =>
    judge({
      context: { isRolledBack: true, requestPlan: planWith({ steps } as object), tasks: tasks(commit), ...more },
      attempt: { commit: 'broken' },
      clean,
    });

  it('counts if an earlier step was committed and the checks of this step pass', async () => {
    const { why, cleanRuns } = await unchanged('first');
    expect([why, cleanRuns.map(({ tree }) => tree.commit)]).toEqual([null, ['broken']]);
  });

  it('does not count if a check of the step fails', async () => {
    const { why } = await unchanged('first', {}, () => redRun());
    expect(why).toBe(`still failing: ${checkWith('C-001').title}`);
  });

  it.each([
    ['no earlier step was committed', null, {}],
    ['the step has no check', 'first', { checks: [] }],
  ])('does not count if %s', async (_title, commit, more) => {
    const { why } = await unchanged(commit, more);
    expect(why).toBe('the task had to be done again, and nothing was changed');
  });
});

describe('an attempt does not count', () => {
  const removal = (quote: string | null) => inspects({ tests: [{ test: `${PATH}: rounds`, quote, why: 'w' }] });

  it.each([
    ['nobody quotes the request', {}],
    ['the inspector finds no such words', removal(null)],
    ['the quote is not in the request', removal('remove the rounding')],
    ['the quote is a single word', removal('dark')],
    ['the quote is about another test', inspects({ tests: [{ test: 'other', quote: 'Add dark mode', why: '' }] })],
  ])('if it removed a test and %s', async (_title, agents) => {
    const { why } = await judge({ tests: () => REMOVED, agents });
    expect(why).toBe('tests were removed or skipped, and the request does not ask for that: rounds');
  });

  it('if it took back the change of its task, though everything passes', async () => {
    const { why, cleanRuns } = await judge({ attempt: { isUndone: true } });
    expect([why, cleanRuns]).toEqual([expect.stringMatching(/^it removed the change of the task/), []]);
  });

  it('if a test still fails', async () => {
    const comparison = { ...NO_WORSE, isNoWorse: false, newFailures: ['sorts'] };
    expect((await judge({ attempt: { comparison } })).why).toBe('still failing: sorts');
  });

  it('if the check of its task fails, with what the next attempt has to know', async () => {
    const { judged, why } = await judge({ clean: () => redRun() });
    expect([why, judged]).toMatchObject([
      `still failing: ${checkWith('C-001').title}`,
      { comparison: { isCheck: true } },
    ]);
  });

  it('if a failure in scope is still there', async () => {
    const requestPlan = planWith({ scope: [{ name: 'rounds', reason: 'r' }] });
    const { why } = await judge({ context: { requestPlan, verification: failingRun('rounds') } });
    expect(why).toBe('still failing: rounds');
  });

  it('if no check can tell, and an independent agent says that the step is no longer done', async () => {
    const agents = inspects({ parts: [{ part: 1, isDone: false, why: 'it is a stub' }] });
    const { why, asked } = await judge({ context: { checks: [] }, agents });
    expect([why, asked.map(({ role }) => role)]).toEqual(['The step is not done: it is a stub', [INSPECTOR]]);
    const done = inspects({ parts: [{ part: 1, isDone: true, why: 'it is there' }] });
    expect((await judge({ context: { checks: [] }, agents: done })).why).toBeNull();
  });

  it('by the word of an agent only if no failure in scope can tell', async () => {
    const parts = [{ title: 'a', interface: '', failingTests: ['rounds'] }];
    const requestPlan = planWith({ parts, scope: [{ name: 'rounds', reason: 'r' }] });
    const { asked } = await judge({ context: { checks: [], requestPlan, verification: failingRun() } });
    expect(asked).toEqual([]);
  });

  it('if it is about a proof and changed nothing', async () => {
    const same = { startCommit: 'same', commit: 'same' };
    const task = taskOf('T-009', { kind: 'proof' });
    expect((await judge({ task, attempt: same })).why).toBe('nothing was changed');
  });

  it('if no test ran at all', async () => {
    expect((await judge({ attempt: { result: verifiedAs('passed', { passed: 0 }) } })).why).toBe('no test ran');
  });
});

it('an attempt that changed nothing counts for a proof if the check itself was replaced', async () => {
  const adapted = { checks: [{ part: 1, title: 't', files: [], command: 'node adapted.mjs', why: '' }] };
  const agents = {
    [ARBITER]: () => ({ output: { isCheckWrong: true, isDemanded: true, why: 'a wrong path' } }),
    'check-author': () => ({ commit: 'authored', output: adapted }),
  };
  const clean = ({ tree, commands }: CleanRun) => {
    if (commands === null) return failingRun();
    return commands[0] === 'node adapted.mjs' && tree.commit !== 'base' ? greenRun() : redRun();
  };
  const attempt = { startCommit: 'same', commit: 'same', wrongCheck: 'the path is wrong' };
  const { judged } = await judge({ task: taskOf('T-009', { kind: 'proof' }), attempt, agents, clean });
  expect(judged).toMatchObject({ why: null, patch: { checks: [{ command: 'node adapted.mjs', isAdapted: true }] } });
});

describe('an attempt that changed nothing counts for a proof if an agent took its failure out of the scope', () => {
  const task = taskOf('T-009', {
    kind: 'proof',
    detail: 'The request needs this test to pass, and it still fails: rounds.',
  });
  const guess = { name: 'rounds', reason: 'r', isGuess: true };
  const scoped = (requestPlan: object, agents: World['agents'] = {}) =>
    judge({
      task,
      context: { baseline: failingRun('rounds'), verification: failingRun('rounds'), requestPlan },
      attempt: { startCommit: 'same', commit: 'same', result: failingRun('rounds') },
      agents,
      clean: ({ commands, tree }) => {
        if (commands?.[0] !== checkWith('C-001').command) return failingRun('rounds');
        return tree.overlays ? redRun() : greenRun();
      },
    });

  it('at this attempt', async () => {
    const ruling = { rulings: [{ test: 1, isInScope: false, why: 'another function' }] };
    const { why, judged } = await scoped(planWith({ scope: [guess] }), { [ARBITER]: () => ({ output: ruling }) });
    expect([why, judged]).toMatchObject([null, { patch: { requestPlan: { outOfScope: [{ name: 'rounds' }] } } }]);
  });

  it('at an earlier attempt', async () => {
    expect((await scoped(planWith({ outOfScope: [{ name: 'rounds', why: 'w' }] }))).why).toBeNull();
    expect((await scoped(planWith({ outOfScope: [{ name: 'prints', why: 'w' }] }))).why).toBe('nothing was changed');
  });
});

it('an attempt is not judged if its judge has to wait', async () => {
  const agents = { [INSPECTOR]: () => ({ kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' }) as const };
  expect((await judge({ tests: () => REMOVED, agents })).judged).toMatchObject({
    kind: 'stopped',
    outcome: { kind: 'waits' },
  });
});
