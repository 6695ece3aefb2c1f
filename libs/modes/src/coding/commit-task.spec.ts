import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import { deferredOf, findingsOf, tasksOf } from './coding-context.js';
import { fakeParts, findingWith, taskOf, Visit, WORKTREE } from './coding.fixture.js';
import { commitTask } from './commit-task.js';
import { planWith } from './proof/proof.fixture.js';
import type { TaskOutput } from './work-task.js';

const EARLIER = taskOf('T-001', { status: 'completed', commit: 'earlier' });
const STEP = taskOf('T-002', { status: 'in_progress' });
const FIX = taskOf('T-002', { kind: 'finding', finding: 'F-001', status: 'in_progress' });
const findings = [findingWith('F-001'), findingWith('F-002')];

interface World {
  readonly task?: ProjectTask;
  readonly before?: readonly ProjectTask[];
  /** `base`: nothing was changed. */
  readonly commit?: string;
  readonly said?: TaskOutput['outcome'];
  readonly covers?: readonly string[];
  readonly isWhole?: boolean;
  /** The tree that another agent read when it called the finding fixed. */
  readonly confirmedAt?: string;
}

async function commit({
  task = STEP,
  before = [EARLIER],
  commit: at = 'left',
  said = 'done',
  covers = [],
  isWhole = true,
  confirmedAt,
}: World = {}) {
  const steps = [{ task: 'T-002', title: '', parts: [1], findings: [...covers], check: '' }];
  const confirmedFix = confirmedAt === undefined ? null : { finding: 'F-001', commit: confirmedAt };
  const visit = new Visit({ tasks: [...before, task], findings, requestPlan: planWith({ steps }), confirmedFix });
  const wish = {
    worktree: WORKTREE,
    task,
    commit: at,
    said: { outcome: said, summary: 'a summary' },
    isSimulated: false,
    isWhole,
  };
  const { patch, outcome } = await commitTask(fakeParts().parts, visit.activity, wish);
  return {
    patch,
    outcome,
    task: tasksOf({ context: patch }).at(-1),
    findings: findingsOf({ context: patch }).map((one) => one.outcome),
  };
}

const MADE = 'commit of T-002: Title of T-002\n\na summary';

describe('a task that changed something', () => {
  it('ends in a commit, which is good and verified', async () => {
    const { patch, outcome, task } = await commit();
    expect([outcome, task]).toMatchObject(['done', { status: 'completed', commit: MADE, note: 'a summary' }]);
    expect(patch).toMatchObject({
      commit: MADE,
      verifiedAt: MADE,
      good: { commit: MADE, checkpoint: 8 },
      pending: null,
    });
  });

  it('is not verified for the proof if only some of the tests ran', async () => {
    const { patch } = await commit({ isWhole: false });
    expect(patch).toMatchObject({ good: { commit: MADE }, verifiedAt: null });
  });

  it('fixes its finding, and those that its step of the plan covers', async () => {
    const { findings: outcomes } = await commit({ covers: ['F-002'] });
    expect(outcomes).toMatchObject([{ kind: 'open' }, { kind: 'fixed', commit: MADE }]);
    expect((await commit({ task: FIX })).findings).toMatchObject([{ kind: 'fixed' }, { kind: 'open' }]);
  });
});

describe('a step that changed nothing', () => {
  it('was done by the earlier commit that fulfilled it: its check has been run', async () => {
    const { outcome, task, patch } = await commit({ commit: 'base' });
    expect([outcome, task]).toMatchObject([
      'done',
      { status: 'completed', commit: null, note: 'Done by T-001. a summary' },
    ]);
    expect(deferredOf({ context: patch })).toEqual([]);
  });

  it('settles the findings that it covers with that commit', async () => {
    const { findings: outcomes } = await commit({ commit: 'base', covers: ['F-002'] });
    expect(outcomes[1]).toEqual({ kind: 'fixed', commit: 'earlier', reason: null });
  });

  it('fixes no finding if there is no earlier commit', async () => {
    const { task, findings: outcomes } = await commit({ commit: 'base', before: [], covers: ['F-002'] });
    expect([task?.note, outcomes[1]?.kind]).toEqual(['a summary', 'open']);
  });
});

describe('a finding for which nothing was changed', () => {
  it('does not hold if its agent says so', async () => {
    const { outcome, findings: outcomes, task } = await commit({ task: FIX, commit: 'base', said: 'not-applicable' });
    expect([outcome, task?.status]).toEqual(['not-applicable', 'completed']);
    expect(outcomes[0]).toEqual({ kind: 'not-applicable', commit: null, reason: 'a summary' });
  });

  it('is fixed by the earlier commit that did it, if another agent confirms that', async () => {
    const {
      outcome,
      findings: outcomes,
      task,
      patch,
    } = await commit({ task: FIX, commit: 'base', confirmedAt: 'base' });
    expect([outcome, task]).toMatchObject([
      'fixed',
      { status: 'completed', commit: null, note: 'Done by T-001. a summary' },
    ]);
    expect(outcomes[0]).toEqual({ kind: 'fixed', commit: 'earlier', reason: null });
    expect(deferredOf({ context: patch })).toEqual([]);
  });

  it.each([
    ['that agent read another tree', { confirmedAt: 'another' }],
    ['there is no earlier commit', { confirmedAt: 'base', before: [] }],
  ])('is deferred if %s', async (_title, world) => {
    const { outcome } = await commit({ task: FIX, commit: 'base', ...world });
    expect(outcome).toBe('deferred');
  });

  it('is deferred if its agent says that it is done: no check shows it', async () => {
    const { outcome, task, patch } = await commit({ task: FIX, commit: 'base' });
    expect([outcome, task?.status]).toEqual(['deferred', 'deferred']);
    expect(deferredOf({ context: patch })).toMatchObject([
      { cause: 'unchanged', task: 'T-002', reason: 'Nothing was changed for it: a summary' },
    ]);
  });
});
