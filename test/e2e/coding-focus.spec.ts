import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HealProblem } from '#contracts';
import { GREETER } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { did, inTurn, RIGHT, type Says, scoped, THEME_TEST, writes } from './coding-team.js';
import { CodingWorld } from './coding-world.js';
import { byConversation } from './heal-cases.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

/** As long as a suite takes of which only some tests run after a step. */
const SLOW_TEST =
  "import { test } from 'node:test';\nimport { setTimeout } from 'node:timers/promises';\n\n" +
  "test('takes long', () => setTimeout(10_500));\n";

/** No test names words.mjs: what it breaks shows only in a run of all tests. */
const FILES = {
  ...GREETER,
  'greeting.mjs': "import { HELLO } from './words.mjs';\n\nexport const greeting = (name) => `${HELLO}, ${name}!`;\n",
  'words.mjs': "export const HELLO = 'Hello';\n",
  'slow.test.mjs': SLOW_TEST,
};

const STEPS = [
  { title: 'Add toggle(theme)', detail: '', parts: [1], findings: [], check: 'node --test' },
  { title: 'Describe toggle(theme)', detail: '', parts: [], findings: [], check: 'README.md names it' },
];

const work = (files: Readonly<Record<string, string>>): Says => inTurn(writes(files), did('it is done'));

it('runs the tests of a step, finds a regression elsewhere at the end, and heals it', async () => {
  const script = {
    scope: () => scoped({ steps: STEPS }),
    execute: byConversation(
      work({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST, 'words.mjs': "export const HELLO = 'Hallo';\n" }),
      work({ 'README.md': 'toggle(theme) gives the other theme.\n' }),
    ),
    heal: byConversation(
      work({ 'README.md': 'toggle(theme) gives the other theme of two.\n' }),
      work({ 'words.mjs': FILES['words.mjs'] }),
    ),
  };
  const more = {
    verify: ['node --test --test-reporter=spec'],
    agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 },
  };
  const one = await world.start('slowness', script, more, FILES);
  await one.completed();
  const ran = (await one.told('workspace.verified')).map(({ step, passed, failed }) => ({ step, passed, failed }));
  // The two tests of the base are the slow one and that of the greeting.
  expect(ran).toContainEqual({ step: 'verify/focus', passed: 1, failed: 0 });
  expect(ran).toContainEqual({ step: 'verify', passed: 2, failed: 1 });
  // Of the first attempt only the failing test ran.
  expect(ran).toContainEqual({ step: 'verify/focus', passed: 0, failed: 1 });
  expect(ran).toContainEqual({ step: 'verify', passed: 3, failed: 0 });
  const { data: problems } = await one.read<{ data: HealProblem[] }>('problems');
  expect(problems.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(['failed', 'fixed']);
  expect(await one.states()).not.toContain('BLOCKED');
  expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
});
