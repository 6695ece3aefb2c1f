import { describe, expect, it } from 'vitest';
import type { CleanRun } from '#workspace';
import { byRole, findingWith, taskOf } from '../coding.fixture.js';
import { CHECK_AUTHOR } from '../scoping/author-checks.js';
import { INSPECTOR } from './inspect.js';
import { MUTANT_MAKER } from './mutant.js';
import { checkWith, failingRun, fileOf, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';
import { prove, type World } from './prove-world.fixture.js';
import { ARBITER } from './rule-on-check.js';

const CHECK = checkWith('C-001');

describe('new tests alone', () => {
  const adds = (failing: readonly string[], ofBase: readonly string[]): World => ({
    context: { requestPlan: planWith({ class: 'tests-only' }), verification: failingRun('old') },
    baseline: failingRun('old'),
    changed: [],
    added: ['test/a.test.mjs'],
    between: (from, to) => (from === 'done' && to === 'left' ? { files: [fileOf('src/a.mjs')] } : null),
    files: { 'src/a.mjs': 'wrong', 'test/a.test.mjs': '' },
    clean: ({ tree }) => failingRun('old', ...(tree.files ? (tree.overlays ? ofBase : failing) : [])),
    agent: byRole({ [MUTANT_MAKER]: () => ({ output: { summary: 'rounds down' } }) }),
  });
  const mutants = (asked: readonly { readonly role: string; readonly tier: string }[]): readonly string[] =>
    asked.filter(({ role }) => role === MUTANT_MAKER).map(({ tier }) => tier);

  it('count if one of them fails on a wrong variant', async () => {
    const { known, asked, cleanRuns } = await prove(adds(['kept', 'new'], ['kept']));
    expect(known.doubt).not.toMatch(/wrong variant/);
    expect(known.proof?.evidence.join('\n')).toContain('The new tests fail on a wrong variant');
    expect(mutants(asked)).toEqual(['medium']);
    expect(cleanRuns.at(-1)?.tree.overlays).toEqual([{ from: 'base', paths: ['test/a.test.mjs'] }]);
  });

  it('count as a change of behaviour if a manifest changes with them that other code depends on', async () => {
    const world = adds(['kept', 'new'], ['kept']);
    const manifest = (more: object) => ({ 'package.json': JSON.stringify({ name: 'a', ...more }) });
    const judge = async (more: object) => {
      const files = { ...world.files, ...manifest(more) };
      return (await prove({ ...world, changed: ['package.json'], filesBefore: manifest({}), files })).known.proof;
    };
    const words = 'The plan expected new tests only, but the diff does more.';
    expect((await judge({ devDependencies: { vitest: '5' } }))?.notes.join('\n')).not.toContain(words);
    expect((await judge({ exports: './other.js' }))?.notes.join('\n')).toContain(words);
  });

  it('do not count if only tests of the base fail on it, after a second variant', async () => {
    const { known, asked } = await prove(adds(['kept'], ['kept']));
    expect(known.doubt).toContain('The new tests also pass if the code is wrong');
    expect(mutants(asked)).toEqual(['medium', 'large']);
  });
});

it('a larger model reads the parts that the first reader left out', async () => {
  const answers = [[], [{ part: 1, isDone: true, why: 'I read it' }]];
  const { known, asked } = await prove({
    context: { requestPlan: planWith({ class: 'document' }) },
    changed: ['README.md'],
    agent: byRole({ [INSPECTOR]: () => ({ output: { parts: answers.shift() ?? [], findings: [], tests: [] } }) }),
  });
  expect([known.isProven, asked.map(({ tier }) => tier)]).toEqual([true, ['medium', 'large']]);
});

it('a part without a check gets one late, by an author that sees the base only', async () => {
  const command = 'npm run dark';
  const checks = [{ part: 1, title: 'It is dark', files: [], command, why: 'it is light' }];
  const { known, resets } = await prove({
    context: {},
    clean: ({ tree, commands }) => (commands?.[0] !== command ? null : tree.commit === 'base' ? redRun() : greenRun()),
    agent: byRole({ [CHECK_AUTHOR]: () => ({ output: { checks } }), ...readsParts(1) }),
  });
  expect([known.isProven, known.checks?.map(({ id }) => id)]).toEqual([true, ['C-001']]);
  expect([resets[0], resets.at(-1)]).toEqual(['base', 'done']);
});

it('a person who put off what an agent misses is not asked again if it gives another reason', async () => {
  const detail = 'An independent agent says that "There is a dark mode" is not done: nothing is dark.';
  const { type, known } = await prove({
    context: {
      requestPlan: planWith({ class: 'document' }),
      tasks: [taskOf('T-002', { kind: 'proof', status: 'deferred', detail })],
    },
    changed: ['README.md'],
    agent: byRole({
      [INSPECTOR]: () => ({
        output: { parts: [{ part: 1, isDone: false, why: 'it is light' }], findings: [], tests: [] },
      }),
    }),
  });
  expect([type, known.isProven]).toEqual(['work:verified', false]);
});

it('no check is written late for work of a simulated model', async () => {
  const { known, asked } = await prove({ context: { simulated: true }, agent: () => ({}) });
  expect([known.proof?.proven, asked]).toEqual(['simulated', []]);
});

it('a test in scope that no longer runs is no proof, though nothing says that it fails', async () => {
  const name = 'test/a.test.mjs: rounds';
  const failing = failingRun(name);
  const baseline = { ...failing, commands: failing.commands.map((one) => ({ ...one, command: 'node --test' })) };
  const parts = [{ title: 'It rounds', interface: '', failingTests: [name] }];
  const { known } = await prove({
    baseline,
    context: { requestPlan: planWith({ parts, scope: [{ name, reason: 'r' }] }) },
    clean: () => greenRun(),
    agent: () => ({}),
  });
  expect([known.isProven, known.proof?.evidence]).toEqual([false, []]);
  expect(known.doubt).toContain('no longer runs');
});

it('an independent agent looks at each urgent finding that a step claims to have fixed', async () => {
  const outcome = { kind: 'fixed', commit: 'done', reason: null } as const;
  const [step] = planWith().steps;
  if (!step) throw new Error('a plan has a step');
  const { known } = await prove({
    context: {
      requestPlan: planWith({ steps: [{ ...step, findings: ['F-001'] }] }),
      findings: [findingWith('F-001', { relation: 'after', outcome })],
      checks: [CHECK],
    },
    agent: byRole({
      [INSPECTOR]: () => ({
        output: { parts: [], findings: [{ id: 'F-001', isFixed: false, why: 'it leaks' }], tests: [] },
      }),
    }),
  });
  expect(known.doubt).toContain('the finding "Title of F-001" is not fixed: it leaks');
});

it('a fix of an urgent finding that no agent answers for is an open point', async () => {
  const outcome = { kind: 'fixed', commit: 'done', reason: null } as const;
  const { known, asked } = await prove({
    context: { findings: [findingWith('F-001', { relation: 'is-request', outcome })], checks: [CHECK] },
    agent: byRole({ [INSPECTOR]: () => ({ output: { parts: [], findings: [], tests: [] } }) }),
  });
  expect(asked.map(({ role, tier }) => [role, tier])).toEqual([
    [INSPECTOR, 'medium'],
    [INSPECTOR, 'large'],
  ]);
  expect(known.unreviewedFixes).toEqual(['F-001']);
});

it('a change is not proven before an agent has read it, though every check passes', async () => {
  const patch = `diff --git a/src/theme.mjs b/src/theme.mjs\n--- a/src/theme.mjs\n+++ b/src/theme.mjs\n@@ -1,0 +1,1 @@\n+process.exit(0);\n`;
  const judged = async (parts: readonly { part: number; isDone: boolean; why: string }[]) => {
    const { known, asked } = await prove({
      context: { checks: [CHECK] },
      tests: () => patch,
      clean: () => greenRun(),
      agent: byRole({ [INSPECTOR]: () => ({ output: { parts: [...parts], findings: [], tests: [] } }) }),
    });
    return { known, prompt: asked.find(({ role }) => role === INSPECTOR)?.prompt };
  };
  const unread = await judged([]);
  expect(unread.known.doubt).toContain('No independent agent has read the change for the part "There is a dark mode"');
  expect(unread.prompt).toContain('src/theme.mjs: process.exit(0);');
  const refused = await judged([{ part: 1, isDone: false, why: 'it ends the process' }]);
  expect(refused.known.doubt).toContain('it ends the process');
  expect((await judged([{ part: 1, isDone: true, why: 'I read it' }])).known.isProven).toBe(true);
});

it('doctored code is found in files that the diff of the whole does not show', async () => {
  const doctored = `diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,0 +1,1 @@\n+assert.equal = () => {};\n`;
  const { known } = await prove({ context: { checks: [CHECK] }, tests: () => doctored, agent: byRole(readsParts(1)) });
  expect(known.doubt).toContain('src/a.js makes tests unreliable');
});

it.each(['script-shell=./shell.sh', 'workspace=packages/other'])(
  'the tests of the base run without settings by which a package manager would change every script: %s',
  async (line) => {
    const settings = `diff --git a/.npmrc b/.npmrc\n--- /dev/null\n+++ b/.npmrc\n@@ -0,0 +1,1 @@\n+${line}\n`;
    const { cleanRuns } = await prove({
      context: { checks: [CHECK] },
      added: ['.npmrc'],
      tests: () => settings,
      clean: () => greenRun(),
      agent: () => ({}),
    });
    expect(cleanRuns[0]?.tree.overlays).toEqual([{ from: 'base', paths: ['.npmrc'] }]);
  },
);

it('a document beside a fix is proven by a reader, whatever else changed', async () => {
  const document = { title: 'The README says so', interface: '', failingTests: [], kind: 'document' as const };
  const parts = [...planWith().parts, document];
  const judged = async (changed: readonly string[], ...read: readonly number[]) =>
    prove({
      context: { requestPlan: planWith({ parts }), checks: [CHECK] },
      changed: [...changed],
      clean: ({ tree }) => (tree.commit === 'base' || tree.overlays ? redRun() : greenRun()),
      agent: byRole(readsParts(...read)),
    });
  const done = await judged(['src/theme.mjs', 'README.md'], 1, 2);
  expect([done.known.doubt, done.known.isProven, done.asked.map(({ role }) => role)]).toEqual([
    null,
    true,
    [INSPECTOR],
  ]);
  expect((await judged(['src/theme.mjs'], 1, 2)).known.doubt).toContain('the change touches no document');
  expect((await judged(['src/theme.mjs', 'README.md'], 1)).known.doubt).toContain('No independent agent');
});

it('an agent reads the diff while the checks run', async () => {
  const { steps } = await prove({
    context: { requestPlan: planWith({ class: 'document' }), checks: [CHECK] },
    changed: ['README.md'],
    agent: () => ({}),
  });
  expect(steps.indexOf('inspect/diff')).toBeLessThan(steps.indexOf('result/C-001/2'));
});

it('a person is asked only if a third agent does not overrule the inspector before', async () => {
  const tasks = ['T-002', 'T-003', 'T-004'].map((id) =>
    taskOf(id, { kind: 'proof', status: 'completed', commit: 'c' }),
  );
  const refused = { parts: [{ part: 1, isDone: false, why: 'I read it' }], findings: [], tests: [] };
  const rules = (isInspectorWrong: boolean): World => ({
    context: { requestPlan: planWith({ class: 'document' }), checks: [], tasks },
    changed: ['README.md'],
    agent: byRole({
      [INSPECTOR]: () => ({ output: refused }),
      [ARBITER]: () => ({ output: { isInspectorWrong, why: 'README.md says it' } }),
    }),
  });
  const { type, known } = await prove(rules(true));
  expect([type, known.isProven, known.inspection?.parts[0]?.isDone]).toEqual(['work:verified', true, true]);
  expect(known.proof?.evidence.join()).toContain('A third agent ruled that it is done: README.md says it');
  expect((await prove(rules(false))).type).toBe('work:blocked');
});

it('an agent that reads the change sees which values the code has in common with its tests', async () => {
  const diff =
    "diff --git a/src/theme.mjs b/src/theme.mjs\n--- a/src/theme.mjs\n+++ b/src/theme.mjs\n@@ -1,0 +1,1 @@\n+if (name === 'sunset') return 'dark';\n";
  const world = {
    context: { checks: [CHECK] },
    clean: ({ tree }: CleanRun) => (tree.overlays ? redRun() : greenRun()),
    naming: ['test/theme.test.mjs'],
    filesBefore: { 'test/theme.test.mjs': "themeOf('sunset')" },
  };
  const honest = await prove({ ...world, agent: byRole(readsParts(1)) });
  expect([honest.type, honest.asked[0]?.prompt.includes('sunset')]).toEqual(['work:verified', false]);
  const refused = { parts: [{ part: 1, isDone: false, why: 'only for sunset' }], findings: [], tests: [] };
  const copied = await prove({ ...world, diff, agent: byRole({ [INSPECTOR]: () => ({ output: refused }) }) });
  expect([copied.known.proof?.proven, copied.asked.map(({ role }) => role)]).toEqual(['no', [INSPECTOR]]);
  expect(copied.asked[0]?.prompt).toContain('sunset');
});

it('an agent confirms each part whose check the sources do not decide', async () => {
  const judged = async (parts: readonly { part: number; isDone: boolean; why: string }[]) => {
    const { known, asked } = await prove({
      context: { checks: [CHECK] },
      changed: ['src/theme.mjs', 'test/theme.test.mjs'],
      clean: ({ tree, commands }) =>
        commands?.[0] !== CHECK.command ? null : tree.commit === 'base' ? redRun() : greenRun(),
      agent: byRole({ [INSPECTOR]: () => ({ output: { parts: [...parts], findings: [], tests: [] } }) }),
    });
    return { known, asked: asked.map(({ role }) => role) };
  };
  const confirmed = await judged([{ part: 1, isDone: true, why: 'the test is there' }]);
  expect([confirmed.known.isProven, confirmed.asked]).toEqual([true, [INSPECTOR]]);
  expect((await judged([{ part: 1, isDone: false, why: 'only a comment' }])).known.doubt).toContain('only a comment');
  expect((await judged([])).known.doubt).toContain('no independent agent confirms the part');
});
