import { expect, it } from 'vitest';
import { byRole, eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { contextOf } from '../coding/context.js';
import { checkWith, failingRun, greenRun, planWith } from '../coding/proof/proof.fixture.js';
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
