import { describe, expect, it } from 'vitest';
import { report } from '#engine';
import type { JsonObject } from '#kernel';
import { listed } from '../coding/coding-context.js';
import { attemptOf, byRole, eventOf, fakeParts, findingWith, problemOf, taskOf, Visit, WORKTREE } from '../coding/coding.fixture.js'; // prettier-ignore
import { INSPECTOR } from '../coding/proof/inspect.js';
import { failingRun, planWith } from '../coding/proof/proof.fixture.js';
import { adopted } from './adopt-plan.js';
import { consentingToDoubt, sayingWhatIsOutgrown } from './consent.js';
import { workGuards } from './outgrown.js';
import { proveWork } from './prove-work.js';

const tasks = [taskOf('T-001', { kind: 'step', status: 'completed', commit: 'made' })];
/** As many problems of the proof as are healed; then a person is asked. */
const healed = ['T-002', 'T-003', 'T-004'].map((id) => taskOf(id, { kind: 'proof', status: 'completed' }));
const MISSING = { rule: 'inspection', what: 'An independent agent says that "There is a dark mode" is not done: it says nothing.' }; // prettier-ignore
const after = (decision: string, cause: string, more: object = {}): object => ({
  tasks: [...tasks, ...healed],
  requestPlan: planWith({ class: 'document' }),
  commit: 'made',
  proof: { commit: 'made', proven: 'no', failings: [MISSING], evidence: [], knownFailures: [], flaky: [], notes: [] },
  block: { cause, message: 'why', ...more },
  decision: { gate: 'resolve-problem', decision },
});

/** The end of the steps: an agent says that the part is not done, and other tests may fail as well. */
const proven = async (context: object, ...failing: readonly string[]) => {
  const agent = byRole({ [INSPECTOR]: () => ({ output: { parts: [{ part: 1, isDone: false, why: 'in other words' }], findings: [], tests: [] } }) }); // prettier-ignore
  const { parts } = fakeParts({ agent, clean: () => failingRun(...failing), changed: ['docs/report.md'] });
  return eventOf(await proveWork(parts)(new Visit({ ...context }).activity, WORKTREE, failingRun()));
};
const heeded = async (context: object): Promise<JsonObject> => {
  const taken = await adopted(fakeParts().parts)(new Visit({ ...context }).activity);
  if (!taken) throw new Error('nothing was taken up');
  return { ...context, ...eventOf(taken).patch };
};

describe('a person who goes on in spite of a doubt', () => {
  it.each(['proceed', 'resolve'])('has consented to this doubt, once, and to no other: %s', async (decision) => {
    const known = after(decision, 'unproven');
    const context = decision === 'proceed' ? await heeded(known) : known;
    const end = await proven(context);
    expect([end.type, end.patch['isProven'], end.data['consent']]).toEqual(['work:verified', false, true]);
    const other = await proven({ ...context, commit: 'other' }, 'prices');
    expect([other.type, other.patch['block']]).toMatchObject(['work:blocked', { cause: 'unproven' }]);
    const later = await proven({ ...context, ...end.patch, commit: 'later' });
    expect(later.type).toBe('work:blocked');
  });

  it('has not consented where the question was another one', async () => {
    const { type } = await proven(await heeded(after('proceed', 'problem')));
    expect(type).toBe('work:blocked');
  });

  it('has consented as well where it was put off', async () => {
    const { activity } = new Visit({ ...after('defer', 'unproven') });
    const patch = { block: null, deferred: listed([{ title: 'it', cause: 'unproven', reason: 'it', problem: null, task: null }]) }; // prettier-ignore
    const put = eventOf(await consentingToDoubt(() => Promise.resolve(report('item:deferred', patch)))(activity));
    const known = { ...after('defer', 'unproven'), decision: null, ...put.patch };
    expect((await proven(known)).type).toBe('work:verified');
    expect((await proven(known, 'prices')).type).toBe('work:blocked');
  });
});

describe('a person who goes on with what is done', () => {
  const attempts = [attemptOf(1), attemptOf(2), attemptOf(3)];
  const known = {
    problems: listed([problemOf('P-001', { attempts })]),
    findings: listed([findingWith('F-001', { priority: 'P0', title: 'It leaks', file: 'a.js' })]),
  };
  const said = sayingWhatIsOutgrown(async () => report('problem:deferred', { block: { cause: 'never-healed' }, why: 'It is a secret.' })); // prettier-ignore
  const isOutgrown = (context: object): boolean =>
    workGuards['outgrew-work-mode']?.(context as JsonObject, {}, {}) === true;

  it('reads before what would hand the work over, and is not overruled by it', async () => {
    const done = { ...known, findings: [...known.findings], tasks: listed([taskOf('T-001', { status: 'completed' })]) };
    const { project } = new Visit({}).activity;
    const scene = { ...new Visit(done).activity, project: { ...project, machine: 'qralph-work' } };
    const { patch } = eventOf(await said(scene));
    expect(patch['why']).toBe('It is a secret.\n\nThe work has also outgrown a small team: a P0 was found: It leaks (a.js); 3 heal attempts were made. If it goes on, the full team takes over. `proceed` completes what is done without the full team.'); // prettier-ignore
    const nothingDone = eventOf(await said(new Visit(known).activity));
    expect(nothingDone.patch['why']).not.toContain('proceed');
    const blocked = { ...after('proceed', 'never-healed'), ...known, block: patch['block'] };
    expect(isOutgrown(blocked)).toBe(true);
    const went = await heeded(blocked);
    expect(isOutgrown(went)).toBe(false);
    const more = findingWith('F-002', { priority: 'P0', title: 'It burns' });
    expect(isOutgrown({ ...went, findings: listed([more]) })).toBe(true);
    expect(isOutgrown({ ...went, problems: listed([problemOf('P-001', { attempts: [...attempts, attemptOf(4)] })]) })).toBe(true); // prettier-ignore
  });

  it('has waived nothing that the block did not speak of', async () => {
    expect(isOutgrown(await heeded({ ...after('proceed', 'budget'), ...known }))).toBe(true);
  });

  it('reads nothing of it where nothing is outgrown, or nobody is asked', async () => {
    expect(eventOf(await said(new Visit({}).activity)).patch['why']).toBe('It is a secret.');
    const silent = sayingWhatIsOutgrown(async () => report('task:finished', { block: null }));
    expect(eventOf(await silent(new Visit(known).activity)).patch).toEqual({ block: null });
  });
});
