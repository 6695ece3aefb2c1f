import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { ProjectTask } from '#contracts';
import type { JsonObject } from '#kernel';
import type { CleanRun, VerifyReport } from '#workspace';
import { carryOut } from './carry-out.js';
import { deferredOf, findingsOf, tasksOf } from './coding-context.js';
import { byRole, eventOf, fakeParts, findingWith, taskOf, Visit, WORKTREE } from './coding.fixture.js';
import { contextOf } from './context.js';
import { FIX_REVIEWER } from './proof/look-at-fix.js';
import { checkWith, failingRun, planWith, redRun } from './proof/proof.fixture.js';
import { IMPLEMENTER, implementerStrategy } from './task-strategy.js';

const STEP = taskOf('T-001');
const FIX = taskOf('T-001', { kind: 'finding', finding: 'F-001' });
const DONE = { output: { outcome: 'done', summary: 'a summary' } };

interface World {
  readonly task?: ProjectTask;
  readonly relation?: 'aside' | 'before';
  readonly context?: object;
  readonly verify?: () => VerifyReport;
  readonly clean?: (run: CleanRun) => VerifyReport | null;
  readonly implementer?: (task: AgentTask) => Partial<AgentOutcome>;
  readonly look?: object;
  readonly baseline?: VerifyReport;
  readonly naming?: readonly string[];
  readonly usedShare?: number;
  readonly changed?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

async function carry({
  task = STEP,
  relation = 'aside',
  context = {},
  implementer = () => DONE,
  look,
  baseline = failingRun('old'),
  ...hooks
}: World = {}) {
  const agents = { [IMPLEMENTER]: implementer, ...(look && { [FIX_REVIEWER]: () => look }) };
  const world = fakeParts({ agent: byRole(agents), diff: '+fixed', ...hooks });
  const known = { commit: 'good', good: { commit: 'good', checkpoint: 3 }, requestPlan: planWith() };
  const findings = [findingWith('F-001', { relation })];
  const visit = new Visit({ tasks: [task], findings, ...known, ...context });
  const strategy = implementerStrategy(world.parts);
  const work = { task, baseline, startCommit: 'good', strategy };
  const report = await carryOut(world.parts, visit.activity, WORKTREE, work);
  const none = { type: report.kind, patch: {}, data: {} };
  const event: ReturnType<typeof eventOf> = report.kind === 'event' ? eventOf(report) : none;
  return { ...world, visit, ...event };
}

describe('a task', () => {
  it('is committed if nothing is worse and its check holds', async () => {
    const { type, patch, visit } = await carry({ context: { checks: [checkWith('C-001')] } });
    expect([type, tasksOf({ context: patch })[0]?.status]).toEqual(['task:finished', 'completed']);
    expect(visit.steps.indexOf('check/C-001')).toBeLessThan(visit.steps.indexOf('commit'));
  });

  it('leads to a problem if a test fails twice that passed before', async () => {
    const { type, patch, cleanRuns } = await carry({ verify: () => failingRun('new') });
    expect([type, patch['verifiedAt'], cleanRuns.length]).toEqual(['problem:found', null, 2]);
    expect(contextOf({ context: patch }).trouble).toMatchObject({ newFailures: ['new'] });
  });

  it('is committed in spite of a flaky test, which is remembered', async () => {
    let nth = 0;
    const { type, patch } = await carry({ verify: () => ((nth += 1) === 1 ? failingRun('mixed') : failingRun()) });
    expect([type, patch['flakyTests']]).toEqual(['task:finished', ['mixed']]);
  });

  it('leads to a problem if a failure in scope is still there, though nothing is worse', async () => {
    const requestPlan = planWith({ scope: [{ name: 'old', reason: 'r' }] });
    const { type, patch, visit } = await carry({ context: { requestPlan }, verify: () => failingRun('old') });
    expect([type, visit.steps.includes('commit')]).toEqual(['problem:found', false]);
    expect(contextOf({ context: patch }).trouble).toMatchObject({ newFailures: ['old'], command: 'npm test' });
  });

  it('leads to a problem if its check fails, and keeps what was said about it', async () => {
    const clean = ({ commands }: CleanRun) => (commands === null ? null : redRun());
    const { type, patch } = await carry({ context: { checks: [checkWith('C-001')] }, clean });
    expect([type, contextOf({ context: patch }).trouble?.isCheck]).toEqual(['problem:found', true]);
    expect([contextOf({ context: patch }).pending, tasksOf({ context: patch })[0]?.status]).toMatchObject([
      { summary: 'a summary' },
      'in_progress',
    ]);
  });

  it('blocks if its agent fails or the budget is spent', async () => {
    const failed = { kind: 'failed', code: 'AGENT_REFUSED', message: 'm', said: '', commit: 'half' } as const;
    expect((await carry({ implementer: () => failed })).patch['block']).toMatchObject({ cause: 'agent' });
    const broke = { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'half' } as const;
    expect((await carry({ implementer: () => broke })).patch['block']).toMatchObject({ cause: 'budget' });
  });

  it('is only committed, and not done again, after SELF_HEAL', async () => {
    const context = { commit: 'good', healed: { commit: 'good', summary: 'healed' } };
    const { type, asked, cleanRuns } = await carry({ context });
    expect([type, asked, cleanRuns]).toEqual(['task:finished', [], []]);
  });

  it('of a finding that comes before the request leads to a problem if its fix is refused', async () => {
    const look = { output: { isFixed: false, why: 'only renamed' } };
    expect((await carry({ task: FIX, relation: 'before', look })).type).toBe('problem:found');
  });
});

describe('the look at a fix', () => {
  const stepsOf = async (context: object): Promise<readonly string[]> => {
    let nth = 0;
    const verify = () => ((nth += 1) === 1 ? failingRun('mixed') : failingRun());
    const look = { output: { isFixed: true, why: 'closed' } };
    const { visit } = await carry({ task: FIX, relation: 'before', look, verify, context });
    return visit.steps;
  };

  it('runs beside the tests', async () => {
    const steps = await stepsOf({});
    expect(steps.indexOf('diff-of-fix')).toBeLessThan(steps.indexOf('verify/again'));
  });

  it('comes after them if a person may have changed files at a block', async () => {
    const steps = await stepsOf({ block: { cause: 'agent', message: 'it failed' } });
    expect(steps.indexOf('diff-of-fix')).toBeGreaterThan(steps.indexOf('verify/again/reset'));
  });
});

describe('an aside', () => {
  const failed = { kind: 'failed', code: 'AGENT_REFUSED', message: 'it refused', said: '', commit: 'half' } as const;
  const broke = { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'half' } as const;
  const outage = { ...failed, code: 'MODEL_UNREACHABLE', message: 'no route' };
  const others = [FIX, taskOf('T-002', { kind: 'finding', finding: 'F-002' }), taskOf('T-003')];
  const more = {
    tasks: others,
    findings: [findingWith('F-001', { relation: 'aside' }), findingWith('F-002', { relation: 'aside' })],
  };
  const statuses = (context: JsonObject) => tasksOf({ context }).map(({ status }) => status);
  const cases: readonly (readonly [string, World, string])[] = [
    [
      'tests fail after its fix',
      { verify: () => failingRun('new') },
      'Its fix was taken back, because tests fail with it: new',
    ],
    [
      'its fix is refused',
      { look: { output: { isFixed: false, why: 'only renamed' } } },
      'Its fix was taken back. The finding "Title of F-001" is not fixed: only renamed',
    ],
    ['its agent fails', { implementer: () => failed }, 'The agent failed: it refused'],
    ['no model answers', { implementer: () => outage }, 'No model answered: no route'],
    ['no model answers at the look', { look: outage }, 'No model answered: no route'],
    ['the budget is spent', { implementer: () => broke }, 'The budget does not allow it.'],
    [
      'the budget is spent at the look',
      { look: { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'left' } },
      'The budget does not allow it.',
    ],
  ];

  it.each(cases)('is taken back and deferred if %s; nobody is asked', async (_title, world, reason) => {
    const { type, patch, data, resets, visit } = await carry({ task: FIX, ...world });
    expect([type, data]).toEqual(['task:finished', { task: 'T-001', outcome: 'deferred', reason }]);
    expect([resets.at(-1), patch['commit'], visit.steps.includes('commit')]).toEqual(['good', 'good', false]);
    expect(tasksOf({ context: patch })[0]).toMatchObject({ status: 'deferred', note: reason });
    expect(findingsOf({ context: patch })[0]?.outcome).toEqual({ kind: 'deferred', commit: null, reason });
    expect(deferredOf({ context: patch })).toMatchObject([{ task: 'T-001', cause: 'aside', reason }]);
    expect([patch['block'], patch['problem'], patch['verifiedAt']]).toEqual([null, null, null]);
  });

  it('is committed if its fix is confirmed', async () => {
    const { patch } = await carry({ task: FIX, look: { output: { isFixed: true, why: 'closed' } } });
    expect(findingsOf({ context: patch })[0]?.outcome.kind).toBe('fixed');
  });

  it('waits if a model has to be waited for', async () => {
    const waits = { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' } as const;
    expect((await carry({ task: FIX, implementer: () => waits })).type).toBe('wait');
  });

  it.each([
    ['no model answers', outage, 'deferred'],
    ['the budget is spent', broke, 'deferred'],
    ['its agent fails', failed, 'pending'],
  ])('leaves the next aside deferred or pending if %s', async (_title, ends, next) => {
    const { patch } = await carry({ task: FIX, implementer: () => ends, context: more });
    expect(statuses(patch)).toEqual(['deferred', next, 'pending']);
  });

  it('is not begun, nor is another one, once 80 % of the budget is used: the proof needs the rest', async () => {
    const { type, patch, asked, resets, data } = await carry({ task: FIX, usedShare: 0.81, context: more });
    const reason = '81 % of the budget is used. The rest is kept for the proof of the request.';
    expect([type, data, asked, resets]).toEqual([
      'task:finished',
      { task: 'T-001', outcome: 'deferred', reason },
      [],
      [],
    ]);
    expect(statuses(patch)).toEqual(['deferred', 'deferred', 'pending']);
    expect(findingsOf({ context: patch }).map(({ outcome }) => outcome.reason)).toEqual([reason, reason]);
    expect(deferredOf({ context: patch })).toMatchObject([{ cause: 'aside' }, { cause: 'aside' }]);
    // What was verified before still holds.
    expect('verifiedAt' in patch).toBe(false);
  });

  it('is carried out below that, and so is any other task above it', async () => {
    const look = { output: { isFixed: true, why: 'closed' } };
    expect(statuses((await carry({ task: FIX, look, usedShare: 0.79 })).patch)).toEqual(['completed']);
    expect(statuses((await carry({ usedShare: 0.99 })).patch)).toEqual(['completed']);
  });

  it('is carried out if a person changed files for it, which are committed with it', async () => {
    const look = { output: { isFixed: true, why: 'closed' } };
    const { patch } = await carry({ task: FIX, look, usedShare: 0.99, context: { commit: 'earlier' } });
    expect(statuses(patch)).toEqual(['completed']);
  });
});

describe('a step in a slow repository', () => {
  const slow = (report: VerifyReport): VerifyReport => ({
    ...report,
    commands: report.commands.map((one) => ({ ...one, durationMs: 20_000 })),
  });
  const world = {
    baseline: slow(failingRun()),
    naming: ['a.test.mjs'],
    changed: ['a.mjs'],
    files: { 'package.json': '{"scripts":{"test":"node --test"}}' },
  };
  const runsOf = async (given: World) => {
    const { cleanRuns, patch } = await carry({ ...world, ...given });
    return [cleanRuns.map(({ commands }) => commands?.[0] ?? 'all'), patch['verifiedAt'] !== null];
  };

  it('runs its own tests if another step follows', async () => {
    const context = { tasks: [STEP, taskOf('T-002')] };
    expect(await runsOf({ context })).toEqual([['npm test -- a.test.mjs'], false]);
  });

  it('runs all tests if it is the last one before the asides', async () => {
    const context = { tasks: [STEP, taskOf('T-002', { kind: 'finding', finding: 'F-001' })] };
    expect(await runsOf({ context })).toEqual([['npm test -- a.test.mjs', 'all'], true]);
  });

  it('runs all tests if it is an aside', async () => {
    const context = { tasks: [FIX, taskOf('T-002')] };
    expect(await runsOf({ task: FIX, look: { output: { isFixed: true, why: '' } }, context })).toEqual([
      ['npm test -- a.test.mjs', 'all'],
      true,
    ]);
  });
});
