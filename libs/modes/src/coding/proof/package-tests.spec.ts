import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { fakeParts, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { type FileChange, sortChangedFiles } from './changed-files.js';
import { joinReports, NO_PACKAGES, runPackageTests, withFailuresOfPackages } from './package-tests.js';
import { failingRun, fileOf, planWith } from './proof.fixture.js';

const COMMAND = 'cd packages/p && npm test';

interface World {
  readonly packageCommands?: readonly string[];
  readonly files?: readonly FileChange[];
  readonly onBase?: VerifyReport;
  readonly onResult?: readonly VerifyReport[];
}

async function run(given: World) {
  const { packageCommands = [COMMAND], files = [fileOf('packages/p/a.mjs')], onBase, onResult = [] } = given;
  const left = [...onResult];
  const clean = ({ tree }: CleanRun): VerifyReport =>
    tree.commit === 'base' ? (onBase ?? failingRun()) : (left.shift() ?? failingRun());
  const world = fakeParts({ packageCommands, clean });
  const wish = { commit: 'done', baseline: failingRun(), changed: sortChangedFiles({ files }) };
  const seen = await runPackageTests(world.parts, new Visit({}).activity, WORKTREE, wish);
  return {
    seen,
    runs: world.cleanRuns.map(({ tree, commands }) => `${tree.commit}: ${String(commands)}`),
    limits: world.cleanRuns.map(({ timeoutMs }) => timeoutMs),
  };
}

describe('the tests of packages that a change touches', () => {
  it('are not run if there are none, or if they are verify commands', async () => {
    const nothing = { seen: NO_PACKAGES, runs: [], limits: [] };
    expect(await run({ packageCommands: [] })).toEqual(nothing);
    expect(await run({ packageCommands: ['npm test'] })).toEqual(nothing);
  });

  it('run once if they pass', async () => {
    const { seen, runs } = await run({});
    expect([seen, runs]).toEqual([{ ...NO_PACKAGES, result: failingRun() }, [`done: ${COMMAND}`]]);
  });

  it('run on the base too if the package gets new tests: the runner may only say how many there are', async () => {
    const { seen } = await run({ files: [fileOf('packages/p/new.test.mjs', 'added')] });
    expect(seen.baseline).toEqual(failingRun());
    expect((await run({ files: [fileOf('test/new.test.mjs', 'added')] })).seen.baseline).toBeNull();
  });

  it('are compared with the base if one of them fails', async () => {
    const broken = failingRun('old', 'new');
    const { seen, runs } = await run({ onBase: failingRun('old'), onResult: [broken, broken, broken] });
    expect(seen).toMatchObject({ newFailures: ['new'], oldFailures: ['old'], flaky: [] });
    expect(runs).toEqual(
      [COMMAND, COMMAND, COMMAND, COMMAND].map((one, nth) => `${nth === 1 ? 'base' : 'done'}: ${one}`),
    );
  });

  it('may take three times as long as they took on the base', async () => {
    const took = (durationMs: number): VerifyReport => {
      const report = failingRun('old');
      return { ...report, commands: report.commands.map((one) => ({ ...one, durationMs })) };
    };
    const { limits } = await run({ onBase: took(20_000), onResult: [took(1), took(1)] });
    expect(limits.at(-1)).toBe(60_000);
  });

  it('do not count if they are flaky', async () => {
    const { seen } = await run({ onResult: [failingRun('new'), failingRun('new'), failingRun()] });
    expect(seen).toMatchObject({ newFailures: [], flaky: ['new'] });
  });

  it('are compared if the change touches tests: some may no longer run', async () => {
    const silent = { ...failingRun(), commands: failingRun().commands.map((one) => ({ ...one, counts: null })) };
    const { seen } = await run({ files: [fileOf('packages/p/a.test.mjs')], onResult: [silent, silent] });
    expect(seen.lost).toEqual(['the tests of npm test']);
  });
});

describe('failures of packages', () => {
  const scopeOf = (request: string, baseline: VerifyReport | null) => {
    const { activity } = new Visit({});
    const asked = { ...activity, project: { ...activity.project, request } };
    return withFailuresOfPackages(planWith(), asked, { baseline }).scope.map(({ name }) => name);
  };

  it('are in scope if the request speaks of failing tests', () => {
    expect(scopeOf('Fix the failing tests.', failingRun('rounds'))).toEqual(['rounds']);
  });

  it('are in scope if they share a name with what a step says in detail', () => {
    const tasks = [taskOf('T-001', { detail: 'Let `sumOfPrices` take a currency' }), taskOf('T-002')];
    const { activity } = new Visit({ tasks });
    const baseline = failingRun('sumOfPrices adds up', 'parses weeks');
    const { scope } = withFailuresOfPackages(planWith(), activity, { baseline });
    expect(scope.map(({ name }) => name)).toEqual(['sumOfPrices adds up']);
  });

  it('are guesses, which an agent may take out again, unless all tests must pass', () => {
    const isGuess = (goal: 'green' | null) => {
      const { activity } = new Visit({});
      const context = { ...activity.context, order: { ...(activity.context['order'] as object), goal } };
      const asked = { ...activity, context, project: { ...activity.project, request: 'Fix rounds() in `rounds`.' } };
      return withFailuresOfPackages(planWith(), asked, { baseline: failingRun('rounds') }).scope.map(
        (one) => one.isGuess === true,
      );
    };
    expect([isGuess(null), isGuess('green')]).toEqual([[true], [false]]);
  });

  it('are not in scope if they have nothing to do with it, or did not run on the base', () => {
    expect(scopeOf('Add a dark mode.', failingRun('rounds'))).toEqual([]);
    expect(scopeOf('Fix the failing tests.', null)).toEqual([]);
  });
});

it('two reports are joined with the sum of their tests', () => {
  const joined = joinReports(failingRun(), failingRun('rounds'));
  expect([joined.verdict, joined.commands.length, joined.counts?.failed]).toEqual(['failed', 2, 1]);
  expect(joinReports(failingRun(), null)).toEqual(failingRun());
  expect(joinReports(failingRun(), { ...failingRun(), notSetUp: ['p'] }).notSetUp).toEqual(['p']);
});
