import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import {
  byRole,
  eventOf,
  fakeParts,
  taskOf,
  UNTOUCHED,
  verifiedAs,
  Visit,
  WORKTREE,
} from '../coding/coding.fixture.js';
import { INSPECTOR } from '../coding/proof/inspect.js';
import { doubtAboutWork, proveWork } from './prove-work.js';

const none = { ...verifiedAs('unproven', null), commands: [] };
const doubt = (before: ReturnType<typeof verifiedAs>, now: ReturnType<typeof verifiedAs>) =>
  doubtAboutWork(now, UNTOUCHED, before);

describe('what speaks against the result of steps', () => {
  it('is not that there are no tests where there were none', () => {
    expect(doubt(verifiedAs('unproven', null), verifiedAs('unproven', null))).toBeNull();
    expect(doubt(none, none)).toBeNull();
  });

  it('is not a failure that was there before', () => {
    expect(doubt(verifiedAs('failed', { failed: 1 }, 'not ok 1 - a'), verifiedAs('failed', { failed: 1 }, 'not ok 1 - a'))).toBeNull(); // prettier-ignore
  });

  it('is that tests ran before, and none do now, whether they passed then or not', () => {
    expect(doubt(verifiedAs('passed'), verifiedAs('unproven', null))).toBe('it unproven');
    expect(doubt(verifiedAs('failed', { failed: 1 }), verifiedAs('unproven', null))).toBe('it unproven');
  });

  it('is that what verified before is gone', () => {
    expect(doubt(verifiedAs('failed', null), none)).toBe('it unproven');
  });
});

describe('the end of the steps', () => {
  const tasks = [taskOf('T-001', { kind: 'step', status: 'completed', commit: 'made' })];
  const item = { title: 'the plan', cause: 'agent', reason: 'nobody answered', problem: null, task: null };

  it.each([
    [[], true],
    [[item], false],
  ])('is whole where nothing was put off: %j', async (deferred, isWhole) => {
    const { activity } = new Visit({ tasks, deferred, commit: 'made' });
    const { type, patch } = eventOf(await proveWork(fakeParts().parts)(activity, WORKTREE, verifiedAs('passed')));
    expect([type, patch['isAccepted'], patch['isWhollyAccepted']]).toEqual(['work:verified', true, isWhole]);
  });
});

describe('the end of an escalated request', () => {
  const tasks = [taskOf('T-001', { kind: 'request', status: 'completed', commit: 'made' })];
  const requestPlan = {
    class: 'behaviour',
    parts: [{ title: 'toggle gives the other theme', interface: 'theme.mjs', failingTests: [] }],
    steps: [{ task: 'T-001', title: 'Add the toggle', parts: [1], findings: [], check: 'node --test' }],
    scope: [],
    fallback: null,
  };
  /** As many problems of the proof as are healed; then a person is asked. */
  const healed = ['T-002', 'T-003', 'T-004'].map((id) => taskOf(id, { kind: 'proof', status: 'completed' }));
  const given = { tasks, requestPlan, checks: [], escalated: true, commit: 'made' };
  /** No author finds a check for the part. */
  const { parts } = fakeParts({ agent: () => ({}) });
  const prove = (context: JsonObject) => proveWork(parts)(new Visit(context).activity, WORKTREE, verifiedAs('passed'));

  it('is judged by its plan: a part without a check is not proven by passing tests', async () => {
    const { type, patch } = eventOf(await prove(given));
    expect(type).not.toBe('work:verified');
    expect(patch).toMatchObject({ isProven: false });
  });

  it('goes on unproven if a person consented to just this doubt', async () => {
    const doubt = eventOf(await prove(given)).patch['doubt'] ?? null;
    const { type, patch } = eventOf(await prove({ ...given, consentedDoubt: doubt }));
    expect([type, patch['isProven'], patch['consentedDoubt']]).toEqual(['work:verified', false, null]);
  });

  it('goes on unproven if a person accepts the result, however an agent words its reason then', async () => {
    let reads = 0;
    const read = () => ({
      output: { parts: [{ part: 1, isDone: false, why: `reason ${String((reads += 1))}` }], findings: [], tests: [] },
    });
    const world = fakeParts({ agent: byRole({ [INSPECTOR]: read }), changed: ['docs/report.md'] });
    const known = { ...given, requestPlan: { ...requestPlan, class: 'document' } };
    const judge = (context: JsonObject) =>
      proveWork(world.parts)(new Visit(context).activity, WORKTREE, verifiedAs('passed'));
    const { patch: asked } = eventOf(await judge({ ...known, tasks: [...tasks, ...healed] }));
    const decision = { gate: 'resolve-problem', decision: 'resolve' };
    const { type, patch } = eventOf(await judge({ ...known, ...asked, tasks: [...tasks, ...healed], decision }));
    expect([asked['block'], type, patch['isProven']]).toMatchObject([{ cause: 'unproven' }, 'work:verified', false]);
    expect(patch['doubt']).not.toBe(asked['doubt']);
  });
});
