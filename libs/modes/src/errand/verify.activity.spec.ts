import { expect, it } from 'vitest';
import { byRole, eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { contextOf } from '../coding/context.js';
import { checkWith, failingRun, greenRun, planWith } from '../coding/proof/proof.fixture.js';
import { INSPECTOR } from '../coding/proof/inspect.js';
import { ARBITER } from '../coding/proof/rule-on-check.js';
import { verify } from './verify.activity.js';

const CHECK = checkWith('C-001');

/** A result whose check passes. A test that failed before still fails, and only its name connects it to the request. */
async function verified(isInScope: boolean) {
  const { parts } = fakeParts({
    changed: ['src/theme.mjs'],
    clean: ({ commands }) => (commands?.[0] === CHECK.command ? greenRun() : failingRun('theme')),
    agent: byRole({ [ARBITER]: () => ({ output: { isInScope, why: 'the words of the request' } }) }),
  });
  const requestPlan = planWith({ scope: [{ name: 'theme', reason: 'r', isGuess: true }] });
  const context = { commit: 'done', baseline: failingRun('theme'), requestPlan, checks: [CHECK] };
  const { type, patch } = eventOf(await verify(parts)(new Visit(context, { state: 'VERIFYING' }).activity));
  return { type, known: contextOf({ context: patch }) };
}

it('is not kept from its end by a failure that only shares a name with the request', async () => {
  const { type, known } = await verified(false);
  expect([type, known.proof?.knownFailures, known.requestPlan?.scope]).toEqual(['verify:passed', ['theme'], []]);
});

it('goes back to work if that failure belongs to the request', async () => {
  const { type, known } = await verified(true);
  expect([type, known.doubt]).toEqual(['verify:failed', expect.stringContaining('still fails: theme')]);
});

it.each([
  ['after the first attempt', 0, 'other', 'verify:failed'],
  ['after a heal that changed something', 1, 'other', 'verify:failed'],
  ['after a heal that changed nothing', 1, 'done', 'verify:passed'],
  ['at the last attempt', 5, 'other', 'verify:passed'],
])('an inspector that is wrong is overruled or not, %s', async (_title, attempts, firstCommit, type) => {
  const refused = { parts: [{ part: 1, isDone: false, why: 'I see none' }], findings: [], tests: [] };
  const { parts } = fakeParts({
    changed: ['README.md'],
    agent: byRole({
      [INSPECTOR]: () => ({ output: refused }),
      [ARBITER]: () => ({ output: { isInspectorWrong: true, why: 'README.md says it' } }),
    }),
  });
  const requestPlan = planWith({ class: 'document' });
  const context = { commit: 'done', baseline: failingRun(), requestPlan, checks: [], firstCommit };
  const visit = new Visit(context, { state: 'VERIFYING', counters: { attempts } });
  expect(eventOf(await verify(parts)(visit.activity)).type).toBe(type);
});
