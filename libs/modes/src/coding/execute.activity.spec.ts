import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { findingsOf, tasksOf } from './coding-context.js';
import { eventOf, fakeParts, findingWith, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { execute } from './execute.activity.js';
import { checkWith, planWith, redRun } from './proof/proof.fixture.js';

const CHECK = checkWith('C-001');
const PLANNED = { requestPlan: planWith(), checks: [CHECK] };

interface Wish {
  readonly context?: object;
  readonly said?: 'done' | 'not-applicable';
  /** Where it left the files; `base` is where it began. */
  readonly commit?: string;
  readonly verify?: () => VerifyReport;
  readonly clean?: (run: CleanRun) => VerifyReport | null;
}

async function carriedOut({ context = {}, said = 'done', commit = 'left', ...hooks }: Wish = {}) {
  const output = { outcome: said, summary: 'a summary' };
  const world = fakeParts({ agent: () => ({ output, commit }), ...hooks });
  const visit = new Visit({ tasks: [taskOf('T-001')], commit: 'base', baseline: verifiedAs('passed'), ...context });
  const { type, patch, data } = eventOf(await execute(world.parts)(visit.activity));
  return { type, patch, data, steps: visit.steps, runs: world.cleanRuns.length };
}

describe('EXECUTING', () => {
  it('runs the verify commands once before the first change, and never again for that', async () => {
    const first = await carriedOut({ context: { baseline: undefined } });
    expect(first.steps.indexOf('baseline')).toBeLessThan(first.steps.indexOf('verify'));
    expect([first.runs, (await carriedOut()).runs]).toEqual([2, 1]);
  });

  it('gives a step three times as long as the baseline that it has just measured', async () => {
    const limits: (number | undefined)[] = [];
    const clean = ({ timeoutMs }: CleanRun) => {
      limits.push(timeoutMs);
      const report = verifiedAs('passed');
      return { ...report, commands: report.commands.map((one) => ({ ...one, durationMs: 4_000 })) };
    };
    await carriedOut({ context: { baseline: undefined }, clean });
    expect(limits).toEqual([0, 12_000]);
  });

  it('ends a task in a commit that names it, and its finding says which', async () => {
    const findings = [findingWith('F-001')];
    const tasks = [taskOf('T-001', { kind: 'finding', finding: 'F-001' }), taskOf('T-002')];
    const { type, patch } = await carriedOut({ context: { tasks, findings } });
    const commit = 'commit of F-001: Title of T-001\n\na summary';
    expect([type, patch['commit'], patch['verifiedAt']]).toEqual(['task:finished', commit, commit]);
    expect(tasksOf({ context: patch }).map(({ status }) => status)).toEqual(['completed', 'pending']);
    expect(findingsOf({ context: patch })[0]?.outcome).toEqual({ kind: 'fixed', commit, reason: null });
  });

  it.each(['done', 'not-applicable'] as const)(
    'believes no agent that the request is %s if its check still fails',
    async (said) => {
      const clean = ({ commands }: CleanRun) => (commands?.[0] === CHECK.command ? redRun() : null);
      const { type, steps, patch } = await carriedOut({ said, commit: 'base', context: PLANNED, clean });
      expect([type, steps.includes('commit')]).toEqual(['problem:found', false]);
      expect(patch['trouble']).toMatchObject({ isCheck: true, newFailures: [CHECK.title] });
    },
  );

  it('skips the next task where the visit was skipped that took up an approval', async () => {
    const decision = { gate: 'execute', decision: 'approve' };
    const skip = { command: { command: 'SKIP', state: 'EXECUTING', visit: 4 } };
    const tasks = [taskOf('T-001'), taskOf('T-002')];
    const taken = await carriedOut({ context: { tasks, decision, ...skip } });
    expect([taken.type, taken.patch['isNextSkipped']]).toEqual(['decision:heeded', true]);
    const next = await carriedOut({ context: { tasks, ...taken.patch } });
    expect([next.type, next.data, next.patch['isNextSkipped']]).toEqual(['task:finished', { task: 'T-001', outcome: 'deferred' }, null]); // prettier-ignore
    expect(tasksOf({ context: next.patch }).map(({ status }) => status)).toEqual(['deferred', 'pending']);
    const without = await carriedOut({ context: { tasks: [], decision, ...skip } });
    expect([without.type, without.patch['isNextSkipped']]).toEqual(['decision:heeded', undefined]);
  });

  it('commits nothing that is worse than before, and hands it on as a problem', async () => {
    const { type, patch, steps } = await carriedOut({
      verify: () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - x'),
    });
    expect([type, patch['verifiedAt'], steps.includes('commit')]).toEqual(['problem:found', null, false]);
    expect(tasksOf({ context: patch })[0]?.status).toBe('in_progress');
  });
});
