import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { tasksOf } from '../coding-context.js';
import { byRole, eventOf, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { checkWith, failingRun, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';
import { proveResult } from './prove-result.js';

const CHECK = checkWith('C-001');
const DONE = taskOf('T-001', { status: 'completed', commit: 'done' });
const isCheck = ({ commands }: CleanRun): boolean => commands?.[0] === CHECK.command;

interface World {
  readonly context?: object;
  readonly clean?: (run: CleanRun) => VerifyReport;
  readonly options?: { readonly canHeal?: boolean };
  /** What lies in the worktree, if a person has answered a question. */
  readonly left?: string;
}

async function prove({
  context = {},
  clean = (run) => (isCheck(run) ? greenRun() : failingRun()),
  options = {},
  left = 'done',
}: World) {
  const { parts, resets } = fakeParts({ changed: ['src/theme.mjs'], clean, left, agent: byRole(readsParts(1)) });
  const [plan, baseline] = [planWith(), failingRun()];
  const known = { commit: 'done', verifiedAt: 'done', verification: failingRun(), checks: [CHECK] };
  const { activity } = new Visit({ baseline, requestPlan: plan, ...known, ...context });
  const report = eventOf(await proveResult(parts, activity, WORKTREE, { plan, baseline, ...options }));
  return { ...report, resets, known: contextOf({ context: report.patch }) };
}

describe('fixes that are aside', () => {
  const findings = [findingWith('F-001', { relation: 'aside' })];
  const aside = (more: object = {}) =>
    taskOf('T-002', { kind: 'finding', finding: 'F-001', status: 'completed', commit: 'done', ...more });
  const before = { ...DONE, commit: 'before' };
  const red: World = { clean: (run) => (isCheck(run) ? redRun() : failingRun()) };

  it('are taken back if the result is not proven with them, and the request is judged again', async () => {
    const { type, known, resets, patch } = await prove({ ...red, context: { findings, tasks: [before, aside()] } });
    expect([type, resets]).toEqual(['task:finished', ['before']]);
    expect([known.verifiedAt, known.commit]).toEqual([null, 'before']);
    expect(tasksOf({ context: patch })).toMatchObject([{ commit: 'before' }, { status: 'deferred', commit: null }]);
    expect(known.findings).toMatchObject([{ outcome: { kind: 'deferred' } }]);
    expect(known.deferred).toMatchObject([{ task: 'T-002', cause: 'aside' }]);
  });

  it('are taken back after a block too, but not what a person changed there', async () => {
    const block = { block: { cause: 'budget' }, decision: { gate: 'resolve-problem', decision: 'resolve' } };
    const context = { findings, tasks: [before, aside()], ...block };
    expect((await prove({ ...red, context })).type).toBe('task:finished');
    expect((await prove({ ...red, context, left: 'changed' })).type).toBe('problem:found');
  });

  it.each([
    ['the result is proven', {}, [before, aside()], 'work:verified'],
    [
      'a later task has a commit',
      red,
      [before, aside(), taskOf('T-003', { kind: 'proof', commit: 'x' })],
      'problem:found',
    ],
    ['none has a commit', red, [before, aside({ commit: null })], 'problem:found'],
  ])('stay if %s', async (_title, world, tasks, type) => {
    expect((await prove({ ...world, context: { findings, tasks } })).type).toBe(type);
  });

  it('stay if nothing can be healed any more', async () => {
    const context = { findings, tasks: [before, aside()] };
    expect((await prove({ ...red, context, options: { canHeal: false } })).type).toBe('work:blocked');
  });
});
