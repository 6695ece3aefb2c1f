import { describe, expect, it } from 'vitest';
import type { CleanRun } from '#workspace';
import { byRole, eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { contextOf } from '../coding/context.js';
import { checkWith, failingRun, greenRun, planWith, readsParts, redRun } from '../coding/proof/proof.fixture.js';
import { INSPECTOR } from '../coding/proof/inspect.js';
import { ARBITER } from '../coding/proof/rule-on-check.js';
import { CHECK_AUTHOR } from '../coding/scoping/author-checks.js';
import { verify } from './verify.activity.js';

const CHECK = checkWith('C-001');

/** A result whose check passes. A test that failed before still fails, and only its name connects it to the request. */
async function verified(isInScope: boolean) {
  const { parts } = fakeParts({
    changed: ['src/theme.mjs'],
    clean: ({ commands }) => (commands?.[0] === CHECK.command ? greenRun() : failingRun('theme')),
    agent: byRole({
      [ARBITER]: () => ({ output: { rulings: [{ test: 1, isInScope, why: 'the words of the request' }] } }),
      ...readsParts(1),
    }),
  });
  const requestPlan = planWith({ scope: [{ name: 'theme', reason: 'r', isGuess: true }] });
  const context = { commit: 'done', baseline: failingRun('theme'), requestPlan, checks: [CHECK] };
  const { type, patch } = eventOf(await verify(parts)(new Visit(context, { state: 'VERIFYING' }).activity));
  return { type, known: contextOf({ context: patch }) };
}

it('ends proven in spite of a failure that only shares a name with the request', async () => {
  const { type, known } = await verified(false);
  expect([type, known.proof?.knownFailures, known.requestPlan?.scope]).toEqual(['verify:passed', ['theme'], []]);
});

it('goes back to work if that failure belongs to the request', async () => {
  const { type, known } = await verified(true);
  expect([type, known.doubt]).toEqual(['verify:failed', expect.stringContaining('still fails: theme')]);
});

describe('a check that its implementer says is wrong', () => {
  const ADAPTED = 'node adapted.mjs';
  const adapted = { checks: [{ part: 1, title: 'It is dark', files: [], command: ADAPTED, why: '' }] };

  /** The check fails on the result. The adapted one fails on the base and passes on the result. */
  async function judged(context: object, isCheckWrong = true) {
    const world = fakeParts({
      changed: ['src/theme.mjs'],
      clean: ({ commands, tree }) => {
        if (commands?.[0] === CHECK.command) return redRun();
        if (commands?.[0] === ADAPTED) return tree.commit === 'base' ? redRun() : greenRun();
        return failingRun();
      },
      agent: byRole({
        [ARBITER]: () => ({ output: { isCheckWrong, isDemanded: true, why: 'the request leaves it open' } }),
        [CHECK_AUTHOR]: () => ({ commit: 'authored', output: adapted }),
        ...readsParts(1),
      }),
    });
    const known = { commit: 'done', baseline: failingRun(), requestPlan: planWith(), checks: [CHECK], ...context };
    const { type, patch } = eventOf(await verify(world.parts)(new Visit(known, { state: 'VERIFYING' }).activity));
    return { type, known: contextOf({ context: patch }), roles: world.asked.map(({ role }) => role) };
  }

  it('is replaced if a third agent agrees, and the result is proven by its successor', async () => {
    const { type, known, roles } = await judged({ wrongCheck: 'it asks for a name' });
    expect([type, known.wrongCheck, roles]).toEqual(['verify:passed', null, [ARBITER, CHECK_AUTHOR, INSPECTOR]]);
    expect(known.checks).toMatchObject([{ id: 'C-001', command: ADAPTED, isAdapted: true }]);
  });

  it('stands if the third agent disagrees', async () => {
    const { type, known, roles } = await judged({ wrongCheck: 'it asks for a name' }, false);
    expect([type, known.hasRedCheck, known.checks, roles]).toEqual([
      'verify:failed',
      true,
      undefined,
      [ARBITER, INSPECTOR],
    ]);
  });

  it('is not ruled on without a claim', async () => {
    const { type, known, roles } = await judged({});
    expect([type, known.hasRedCheck, roles]).toEqual(['verify:failed', true, [INSPECTOR]]);
  });
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

it('does not take a revision for a heal that changed nothing: the inspector stands', async () => {
  const refused = { parts: [{ part: 1, isDone: false, why: 'I see none' }], findings: [], tests: [] };
  const { parts, asked } = fakeParts({
    changed: ['README.md'],
    agent: byRole({ [INSPECTOR]: () => ({ output: refused }) }),
  });
  const revision = { said: ['Again.'], healsBefore: 2 };
  const context = {
    commit: 'done',
    firstCommit: 'done',
    baseline: failingRun(),
    requestPlan: planWith({ class: 'document' }),
    checks: [],
    revision,
    attempts: 7,
  };
  const visit = new Visit(context, { state: 'VERIFYING', counters: { attempts: 2 } });
  expect(eventOf(await verify(parts)(visit.activity)).type).toBe('verify:failed');
  expect(asked.map(({ role }) => role)).not.toContain(ARBITER);
});

describe('what is never healed', () => {
  const judged = async (context: object, clean: Parameters<typeof fakeParts>[0]) => {
    const { parts } = fakeParts({ changed: ['src/theme.mjs'], agent: byRole(readsParts(1)), ...clean });
    const known = { commit: 'done', baseline: failingRun(), requestPlan: planWith(), checks: [CHECK], ...context };
    const { type, patch } = eventOf(await verify(parts)(new Visit(known, { state: 'VERIFYING' }).activity));
    return { type, patch, known: contextOf({ context: patch }) };
  };
  const refused = 'Error: EACCES: permission denied, open /etc/shadow';

  it('goes to a person with the reason if a heal did it, though its tests pass', async () => {
    const neverHealed = { why: 'it changes the secrets in .env', startCommit: 'first' };
    const clean = ({ commands }: CleanRun) => (commands?.[0] === CHECK.command ? greenRun() : failingRun());
    const { type, known, patch } = await judged({ neverHealed }, { clean });
    expect([type, known.isProven]).toEqual(['verify:unproven', false]);
    expect(known.doubt).toBe('Only a person may decide this: it changes the secrets in .env.');
    expect(patch['why']).toMatch(/^The result is not proven\. Only a person may decide this: it changes the secrets/);
  });

  it('goes to a person if the environment refuses something, and not up the ladder', async () => {
    const { type, known } = await judged({}, { clean: () => redRun(refused) });
    expect([type, known.doubt]).toEqual(['verify:unproven', expect.stringContaining('the environment refuses it')]);
  });

  it('is not found in the files of a check, which nobody printed', async () => {
    const checks = [checkWith('C-001', { files: [{ path: 'c.mjs', content: refused }] })];
    const clean = ({ commands }: CleanRun) => (commands?.[0] === CHECK.command ? redRun('it is light') : failingRun());
    const { type, patch } = await judged({ checks }, { clean });
    expect([type, patch['doubtOutput']]).toEqual(['verify:failed', expect.stringContaining(refused)]);
  });
});
