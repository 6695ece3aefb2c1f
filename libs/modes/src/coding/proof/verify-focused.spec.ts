import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { failingRun } from './proof.fixture.js';
import { verifyAttempt, verifyStep } from './verify-focused.js';

const files = { 'package.json': '{"scripts":{"test":"node --test"}}' };
const OLD = 'old.test.mjs: old';
const NEW = 'price.test.mjs: new';
const FOCUSED = 'npm test -- price.test.mjs';

const slow = (report: VerifyReport): VerifyReport => ({
  ...report,
  commands: report.commands.map((one) => ({ ...one, durationMs: 20_000 })),
});
const asCommand = (report: VerifyReport, { commands }: CleanRun): VerifyReport => ({
  ...report,
  commands: report.commands.map((one) => ({ ...one, command: commands?.[0] ?? one.command })),
});

interface World {
  readonly baseline?: VerifyReport;
  readonly focused?: VerifyReport;
  readonly whole?: VerifyReport;
  readonly changed?: readonly string[];
  readonly deleted?: readonly string[];
  readonly naming?: readonly string[];
  readonly context?: object;
}

function worldOf({ focused = failingRun(), whole = failingRun(OLD), changed = ['price.mjs'], ...more }: World) {
  const clean = (run: CleanRun) => asCommand(run.commands === null ? whole : focused, run);
  const { baseline = slow(failingRun(OLD)), context = {}, naming = ['price.test.mjs'], deleted = [] } = more;
  const world = fakeParts({ clean, changed, deleted, naming, files });
  const { activity } = new Visit({ baseline, ...context });
  const ran = () => world.cleanRuns.map(({ commands }) => commands?.join(' && ') ?? 'all');
  return { ...world, activity, baseline, ran };
}

async function step({ isEnough = true, names = [], ...given }: World & { isEnough?: boolean; names?: string[] } = {}) {
  const { parts, activity, baseline, ran } = worldOf(given);
  const wish = { from: 'good', commit: 'left', baseline, names, isEnough };
  const seen = await verifyStep(parts, activity, WORKTREE, wish);
  return { ...seen, ran: ran() };
}

describe('the verification of a step in a slow repository', () => {
  it('runs only the tests that concern it if a later step runs all', async () => {
    const { ran, isWhole, comparison } = await step();
    expect([ran, isWhole, comparison.isNoWorse]).toEqual([[FOCUSED], false, true]);
  });

  it('runs all tests after those of the last step', async () => {
    const { ran, isWhole } = await step({ isEnough: false });
    expect([ran, isWhole]).toEqual([[FOCUSED, 'all'], true]);
  });

  it('runs nothing else if tests of the step fail twice', async () => {
    const { ran, isWhole, comparison } = await step({ focused: failingRun(NEW), isEnough: false });
    expect([ran, isWhole]).toEqual([[FOCUSED, FOCUSED], false]);
    expect(comparison).toMatchObject({ isNoWorse: false, newFailures: [NEW], worst: { command: 'npm test' } });
    expect(comparison.worst?.output).toContain(`$ ${FOCUSED}`);
  });

  it('excuses a failure of the baseline', async () => {
    expect((await step({ focused: failingRun(OLD) })).comparison.isNoWorse).toBe(true);
  });

  it('includes failures of the baseline that the step settles', async () => {
    expect((await step({ names: [OLD] })).ran).toEqual(['npm test -- price.test.mjs old.test.mjs']);
  });

  it('includes test files that the step changed', async () => {
    const { ran } = await step({ changed: ['price.test.mjs', 'tax.test.mjs'], naming: [] });
    expect(ran).toEqual(['npm test -- price.test.mjs tax.test.mjs']);
  });

  it.each<[string, World]>([
    ['the suite is fast', { baseline: failingRun(OLD) }],
    ['no test names a changed file', { naming: [] }],
    ['a manifest changed', { changed: ['package.json', 'price.mjs'] }],
    ['test settings changed', { changed: ['vitest.config.ts', 'price.mjs'] }],
    ['only a test was removed', { changed: [], deleted: ['price.test.mjs'], naming: [] }],
  ])('runs all tests if %s', async (_, world) => {
    expect((await step(world)).ran).toEqual(['all']);
  });

  it('runs all tests if the selection ran none, or failed without a name', async () => {
    expect((await step({ focused: verifiedAs('passed', { passed: 0 }) })).ran).toEqual([FOCUSED, 'all']);
    const crashed = verifiedAs('failed', null, 'No test files found');
    expect((await step({ focused: crashed })).ran).toEqual([FOCUSED, FOCUSED, 'all']);
  });
});

async function attempt({
  newFailures = [NEW],
  isCheck = false,
  ...given
}: World & { newFailures?: string[]; isCheck?: boolean } = {}) {
  const trouble = { command: 'npm test', output: '', newFailures, isCheck };
  const context = { trouble, verification: failingRun(NEW, OLD), ...given.context };
  const { parts, activity, ran } = worldOf({ ...given, context });
  const seen = await verifyAttempt(parts, activity, WORKTREE, 'left');
  return { ...seen, ran: ran() };
}

describe('the verification of a heal attempt in a slow repository', () => {
  it('stops at the tests of the problem if they still fail', async () => {
    const { ran, isWhole, comparison } = await attempt({ focused: failingRun(NEW) });
    expect([ran, isWhole, comparison.newFailures]).toEqual([[FOCUSED, FOCUSED], false, [NEW]]);
  });

  it('stops at a failure of the baseline that is in scope', async () => {
    const { comparison } = await attempt({ newFailures: [OLD], focused: failingRun(OLD) });
    expect([comparison.isNoWorse, comparison.newFailures]).toEqual([false, [OLD]]);
  });

  it('runs all tests if those of the problem pass', async () => {
    const { ran, isWhole } = await attempt();
    expect([ran, isWhole]).toEqual([[FOCUSED, 'all'], true]);
  });

  it.each<[string, Parameters<typeof attempt>[0]]>([
    ['the suite is fast', { baseline: failingRun(OLD) }],
    ['a check failed, and no test', { isCheck: true }],
    ['the problem names no test', { newFailures: ['npm test: ended by time-out'] }],
    ['its test is known to be flaky', { context: { flakyTests: [NEW] } }],
  ])('runs all tests at once if %s', async (_, world) => {
    expect((await attempt(world)).ran).toEqual(['all']);
  });
});
