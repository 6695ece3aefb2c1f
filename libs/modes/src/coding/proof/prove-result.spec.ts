import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { CleanRun, VerifyReport } from '#workspace';
import { tasksOf } from '../coding-context.js';
import { byRole, eventOf, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { INSPECTOR } from './inspect.js';
import { MUTANT_MAKER } from './mutant.js';
import { checkWith, failingRun, fileOf, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';
import { proveResult } from './prove-result.js';

const CHECK = checkWith('C-001');
const PATH = 'test/price.test.mjs';
const REMOVED = `diff --git a/${PATH} b/${PATH}\n--- a/${PATH}\n+++ b/${PATH}\n@@ -1,3 +0,0 @@\n-test('rounds', () => {\n-  assert(!isDark(theme));\n-});\n`;
const DOCTORED =
  'diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,0 +1,1 @@\n+if (process.env.VITEST) return 3;\n';
const REWRITTEN = `diff --git a/scripts/test.sh b/scripts/test.sh\n--- a/scripts/test.sh\n+++ b/scripts/test.sh\n@@ -1,1 +1,1 @@\n-node --test\n+exit 0\n`;
const ORDER = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api' };
const DONE = taskOf('T-001', { status: 'completed', commit: 'done' });

type World = NonNullable<Parameters<typeof fakeParts>[0]> & {
  readonly context?: object;
  readonly baseline?: VerifyReport;
  readonly agents?: Readonly<Record<string, (task: AgentTask) => Partial<AgentOutcome>>>;
  readonly options?: { readonly isConsented?: boolean; readonly canHeal?: boolean; readonly event?: string };
};

/** A result whose check passes; nothing speaks against it, unless the world does. */
async function prove({ context = {}, baseline = failingRun(), agents = {}, options = {}, ...world }: World = {}) {
  const parts = fakeParts({
    changed: ['src/theme.mjs'],
    agent: byRole({ ...readsParts(1), ...agents }),
    ...world,
    clean: (run) => world.clean?.(run) ?? (isCheck(run) ? runOfCheck(run) : failingRun()),
  });
  const known = { commit: 'done', verifiedAt: 'done', verification: failingRun(), tasks: [DONE], checks: [CHECK] };
  const visit = new Visit({ baseline, requestPlan: planWith(), ...known, ...context });
  const plan = contextOf(visit.activity).requestPlan ?? planWith();
  const report = eventOf(await proveResult(parts.parts, visit.activity, WORKTREE, { plan, baseline, ...options }));
  return { ...parts, ...report, visit, known: contextOf({ context: report.patch }) };
}

/** It fails on the sources of the base. */
const runOfCheck = ({ tree }: CleanRun): VerifyReport => (tree.overlays ? redRun() : greenRun());
const isCheck = ({ commands }: CleanRun): boolean => commands?.[0] === CHECK.command;
const inspects = (more: object) => ({
  [INSPECTOR]: () => ({
    output: { parts: [{ part: 1, isDone: true, why: 'I read it' }], findings: [], tests: [], ...more },
  }),
});
const partIs = (isDone: boolean) => inspects({ parts: [{ part: 1, isDone, why: 'I read it' }] });

/** New tests, and a wrong variant of the code on which these tests fail. */
const triesMutant = (...failing: readonly string[]): World => ({
  context: { requestPlan: planWith({ class: 'tests-only' }), checks: [], verification: failingRun('old') },
  baseline: failingRun('old'),
  changed: ['test/a.test.mjs'],
  between: (from, to) => (from === 'done' && to === 'left' ? { files: [fileOf('src/a.mjs')] } : null),
  files: { 'src/a.mjs': 'wrong' },
  // The tests of the base do not notice it.
  clean: ({ tree }) => (tree.files && !tree.overlays ? failingRun(...failing) : failingRun('old')),
  agents: { [MUTANT_MAKER]: () => ({ output: { summary: 'rounds down' } }), ...partIs(true) },
});

describe('a result is proven', () => {
  it('if its check fails on the base and passes twice on the result', async () => {
    const { type, known, cleanRuns, data, visit } = await prove();
    expect([type, known.isProven, known.doubt, known.proof?.proven]).toEqual(['work:verified', true, null, 'yes']);
    expect(cleanRuns.filter(isCheck)).toHaveLength(2);
    expect(known.proof?.evidence).toEqual([
      expect.stringContaining('C-001'),
      'An agent that did not write the change confirmed "There is a dark mode": I read it',
    ]);
    expect(data).toMatchObject({ verdict: 'passed', proven: 'yes', rules: visit.facts.get('proof.judged')?.['rules'] });
  });

  const covered: World = {
    baseline: failingRun('rounds'),
    context: {
      requestPlan: planWith({
        parts: [{ title: 'It rounds', interface: '', failingTests: ['rounds'] }],
        scope: [{ name: 'rounds', reason: 'r' }],
      }),
      checks: [],
    },
  };

  it('if a failing test of the baseline covers the part and passes now, seen twice', async () => {
    const { known, cleanRuns } = await prove(covered);
    expect([known.isProven, cleanRuns.length]).toEqual([true, 1]);
  });

  it('not if that test fails at the second look: it is flaky, and proves nothing', async () => {
    const { known } = await prove({ ...covered, clean: () => failingRun('rounds'), agents: inspects({ parts: [] }) });
    expect([known.isProven, known.proof?.flaky, known.proof?.evidence]).toEqual([false, ['rounds'], []]);
  });

  it('if new tests fail on a wrong variant of the code', async () => {
    expect((await prove(triesMutant('old', 'new'))).known.isProven).toBe(true);
  });

  it('if an independent agent confirms each part of a document', async () => {
    const context = { requestPlan: planWith({ class: 'document' }), checks: [] };
    const { known, asked } = await prove({ context, changed: ['README.md'], agents: partIs(true) });
    expect([known.isProven, asked.map(({ role }) => role)]).toEqual([true, [INSPECTOR]]);
  });

  it('if known failures of the baseline still fail: they are listed', async () => {
    const verification = failingRun('old');
    const { known } = await prove({ baseline: failingRun('old'), context: { verification } });
    expect([known.isProven, known.proof?.knownFailures]).toEqual([true, ['old']]);
  });

  it('as simulated if a simulated model worked, whatever speaks against it', async () => {
    const { type, known } = await prove({ context: { simulated: true, checks: [] } });
    expect([type, known.proof?.proven, known.isProven]).toEqual(['work:verified', 'simulated', true]);
  });

  it('with the event of UAT if it is proven there', async () => {
    expect((await prove({ options: { event: 'uat:continues', canHeal: false } })).type).toBe('uat:continues');
  });
});

describe('a result that is not proven is healed', () => {
  const inScope = planWith({ scope: [{ name: 'rounds', reason: 'r' }] });
  const removes = { tests: () => REMOVED, changed: ['src/theme.mjs', PATH] };
  const cases: readonly (readonly [string, World, string])[] = [
    [
      'a test fails that passed before',
      { context: { verifiedAt: 'older' }, clean: (run) => (isCheck(run) ? null : failingRun('new')) },
      'This passed before the change and fails now: new.',
    ],
    [
      'an old test fails on the new code',
      {
        changed: ['src/theme.mjs', PATH],
        clean: ({ tree }) => (tree.overlays?.[0]?.paths[0] === PATH ? failingRun('kept') : null),
      },
      'The old version of this test fails on the new code: kept.',
    ],
    [
      'a failure in scope still fails',
      { baseline: failingRun('rounds'), context: { requestPlan: inScope, verification: failingRun('rounds') } },
      'The request needs this test to pass, and it still fails: rounds.',
    ],
    [
      'a file that a verify command calls was rewritten, and tests fail with the old one',
      {
        context: { order: { ...ORDER, verify: ['sh scripts/test.sh'] } },
        tests: () => REWRITTEN,
        clean: ({ tree }) => (tree.overlays?.[0]?.paths[0] === 'scripts/test.sh' ? failingRun('kept') : null),
      },
      'The old version of this test fails on the new code: kept.',
    ],
    [
      'a check still fails',
      { clean: (run) => (isCheck(run) ? redRun() : null) },
      `still fails with the change: ${CHECK.title}`,
    ],
    [
      'a test was removed that the request does not contradict',
      removes,
      'is removed, and nothing in the request asks for that.',
    ],
    ['nothing was changed', { changed: [] }, 'The change is empty.'],
    ['the code knows when it is tested', { diff: DOCTORED }, 'The file src/a.js makes tests unreliable.'],
    [
      'no verify command runs a new test file',
      { added: ['extra/dark.test.mjs'], files: { 'extra/dark.test.mjs': "test('is dark', () => {});" } },
      'No verify command runs these new test files: extra/dark.test.mjs.',
    ],
    [
      'an independent agent says that a requested finding is not fixed',
      {
        context: {
          findings: [
            findingWith('F-001', { relation: 'is-request', outcome: { kind: 'fixed', commit: 'done', reason: null } }),
          ],
        },
        agents: inspects({ findings: [{ id: 'F-001', isFixed: false, why: 'it leaks' }] }),
      },
      'the finding "Title of F-001" is not fixed: it leaks',
    ],
    [
      'an independent agent says that a document does not have a part',
      { context: { requestPlan: planWith({ class: 'document' }) }, changed: ['README.md'], agents: partIs(false) },
      '"There is a dark mode" is not done: I read it',
    ],
    [
      'new tests pass on a wrong variant of the code',
      triesMutant('old'),
      'The new tests also pass if the code is wrong: rounds down.',
    ],
  ];

  it.each(cases)('if %s', async (_title, world, what) => {
    const { type, known, patch, data } = await prove(world);
    const task = tasksOf({ context: patch }).at(-1);
    expect([type, task?.kind, task?.status, known.isProven]).toEqual(['problem:found', 'proof', 'in_progress', false]);
    expect(known.trouble).toMatchObject({ isCheck: true });
    expect(known.trouble?.newFailures.join('\n')).toContain(what);
    expect(known.doubt).toContain(what);
    expect(known.problems).toMatchObject([{ status: 'open', task: task?.id }]);
    expect(data).toMatchObject({ proven: 'no', problem: 'P-001' });
  });

  it('with the output of the failing check for the healer', async () => {
    const { patch } = await prove({ clean: (run) => (isCheck(run) ? redRun('AssertionError: it is light') : null) });
    expect(tasksOf({ context: patch }).at(-1)?.detail).toMatch(/node .qralph-checks[^]*it is light/);
  });

  it('if a test was removed, unless an agent quotes words of the request that contradict the test', async () => {
    const agents = inspects({ tests: [{ test: `${PATH}: rounds`, quote: 'dark mode', why: 'w' }] });
    expect((await prove({ ...removes, agents })).known.isProven).toBe(true);
    const unrelated = REMOVED.replace('!isDark(theme)', 'isRound(price)');
    expect((await prove({ ...removes, tests: () => unrelated, agents })).type).toBe('problem:found');
    const invented = inspects({ tests: [{ test: `${PATH}: rounds`, quote: 'no such words', why: 'w' }] });
    expect((await prove({ ...removes, agents: invented })).type).toBe('problem:found');
  });

  it('with checks that are written late if the diff leaves the class of its request', async () => {
    const author = () => ({
      commit: 'authored',
      output: { checks: [{ part: 1, title: 't', files: [], command: 'node late.mjs', why: '' }] },
    });
    const clean = ({ tree, commands }: CleanRun) =>
      commands?.[0] === 'node late.mjs' ? (tree.commit === 'base' ? redRun() : greenRun()) : null;
    const context = { requestPlan: planWith({ class: 'document' }), checks: [] };
    const { known, resets } = await prove({ context, agents: { 'check-author': author }, clean });
    expect([known.isProven, known.checks?.map(({ command }) => command)]).toEqual([true, ['node late.mjs']]);
    expect(resets.at(-1)).toBe('done');
  });
});

describe('a person is asked about a result that is not proven', () => {
  const red: World = { clean: (run) => (isCheck(run) ? redRun('AssertionError: it is light') : null) };
  const rounds = ['T-002', 'T-003', 'T-004'].map((id) => taskOf(id, { kind: 'proof', status: 'completed' }));

  it('with one screen: request, what is done, proven and not proven, and the likely best answer', async () => {
    const { type, known } = await prove({ ...red, context: { tasks: [DONE, ...rounds] } });
    expect([type, known.block?.cause]).toEqual(['work:blocked', 'unproven']);
    expect(known.why).toMatch(
      /What was asked: Add dark mode[^]*Done and committed:\n- [^]*Proven:[^]*Not proven:\n- The check of[^]*Likely best answer[^]*it is light/,
    );
  });

  it('after three rounds of healing, and not before', async () => {
    expect((await prove({ ...red, context: { tasks: [DONE, ...rounds.slice(1)] } })).type).toBe('problem:found');
    expect((await prove({ ...red, context: { tasks: [DONE, ...rounds] } })).type).toBe('work:blocked');
  });

  it.each([
    ['a part has no check', { context: { checks: [] } }, 'has no check by another agent'],
    [
      'no agent could read a document',
      {
        context: { requestPlan: planWith({ class: 'document' }), checks: [] },
        changed: ['README.md'],
        agents: inspects({ parts: [] }),
      },
      'No independent agent has read the change',
    ],
  ] as const)('at once if no healing helps: %s', async (_title, world, what) => {
    const { type, known } = await prove(world);
    expect([type, known.block?.message.includes(what)]).toEqual(['work:blocked', true]);
  });

  it('in UAT, where nothing is healed', async () => {
    expect((await prove({ ...red, options: { canHeal: false } })).type).toBe('work:blocked');
  });

  it('not again after consent: the result goes on, recorded as not proven', async () => {
    const { type, known, data } = await prove({ ...red, options: { isConsented: true } });
    expect([type, known.isProven, known.proof?.proven, data['consent']]).toEqual(['work:verified', false, 'no', true]);
    const left = { block: { cause: 'unproven' }, decision: { gate: 'resolve-problem', decision: 'resolve' } };
    const resolved = await prove({ ...red, context: left, left: 'done' });
    expect([resolved.type, resolved.known.isProven]).toEqual(['work:verified', false]);
  });

  it('again after RETRY, which is no consent; a change of that person is judged', async () => {
    const left = { block: { cause: 'unproven' }, command: { command: 'RETRY', state: 'BLOCKED', visit: 4 } };
    const context = { ...left, tasks: [DONE, ...rounds] };
    const again = await prove({ ...red, context, left: 'done' });
    expect([again.type, again.cleanRuns.some(({ commands }) => commands === null)]).toEqual(['work:blocked', true]);
    const { known, cleanRuns } = await prove({ context, left: 'as-left' });
    const own = 'commit of Changed by a person while the project waited';
    expect([known.isProven, known.commit, known.isChangedByPerson]).toEqual([true, own, true]);
    expect(new Set(cleanRuns.map(({ tree }) => tree.commit))).toEqual(new Set([own]));
  });
});

it('the proof stops if its inspector has to wait', async () => {
  const agents = { [INSPECTOR]: () => ({ kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' }) as const };
  const world = fakeParts({ changed: ['README.md'], agent: byRole(agents) });
  const plan = planWith({ class: 'document' });
  const visit = new Visit({ commit: 'done', verifiedAt: 'done', verification: failingRun(), requestPlan: plan });
  const report = await proveResult(world.parts, visit.activity, WORKTREE, { plan, baseline: failingRun() });
  expect(report.kind).toBe('wait');
});
