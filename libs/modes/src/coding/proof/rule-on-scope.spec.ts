import { describe, expect, it } from 'vitest';
import { failingTests } from '../../shared/failing-tests.js';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { failingRun, planWith } from './proof.fixture.js';
import { ARBITER } from './rule-on-check.js';
import { ruleOnScope } from './rule-on-scope.js';

const guess = (name: string) => ({ name, reason: 'It shares a name.', isGuess: true });
const NAMES = ['parses dates', 'parses time zones'];
const answering = (...rulings: readonly (readonly [number, boolean])[]): object => ({
  output: { rulings: rulings.map(([test, isInScope]) => ({ test, isInScope, why: 'w' })) },
});

async function rule(answers: readonly object[], scope = NAMES.map(guess), failing = failingRun(...NAMES)) {
  const left = [...answers];
  const world = fakeParts({ agent: byRole({ [ARBITER]: () => left.shift() ?? {} }) });
  const { activity } = new Visit({ requestPlan: planWith({ scope }), baseline: failingRun(...NAMES) });
  const wish = { failing: failingTests(failing), commit: 'left' };
  const ruled = await ruleOnScope(world.parts, activity, WORKTREE, wish);
  const plan = contextOf({ context: ruled.patch }).requestPlan;
  return {
    asked: world.asked,
    left: ruled.kind === 'ruled' ? ruled.left.map(({ name }) => name) : ruled.kind,
    scope: plan?.scope.map(({ name, isGuess = false }) => [name, isGuess]),
    outOfScope: plan?.outOfScope?.map(({ name }) => name),
  };
}

describe('failures that are in scope by a guess', () => {
  it('are ruled on one by one: an unrelated one leaves, the other one is no guess any more', async () => {
    const { left, scope, outOfScope, asked } = await rule([answering([1, true], [2, false])]);
    expect([left, scope, outOfScope]).toEqual([['parses dates'], [['parses dates', false]], ['parses time zones']]);
    expect(asked[0]?.prompt).toMatch(/1\. parses dates\n2\. parses time zones/);
  });

  it('stay guesses without an answer, so that they are asked about again', async () => {
    const { left, scope } = await rule([answering([2, true], [7, false])]);
    expect([left, scope]).toEqual([
      NAMES,
      [
        ['parses dates', true],
        ['parses time zones', false],
      ],
    ]);
  });

  it('are ruled on by a larger model if the first arbiter gives no valid answer', async () => {
    const { asked, left } = await rule([{ output: { isInScope: false } }, answering([1, false], [2, false])]);
    expect([asked.map(({ tier }) => tier), left]).toEqual([['medium', 'large'], []]);
  });

  it('stay in scope if no arbiter answers', async () => {
    expect(await rule([])).toMatchObject({ left: NAMES, scope: undefined });
  });
});

it('a failure that is no guess, or that passed before, is never ruled on', async () => {
  expect((await rule([], [{ name: 'parses dates', reason: 'r' } as ReturnType<typeof guess>])).asked).toEqual([]);
  expect((await rule([], [guess('prints')], failingRun('prints'))).asked).toEqual([]);
});
