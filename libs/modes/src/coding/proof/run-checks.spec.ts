import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { type FileChange, sortChangedFiles } from './changed-files.js';
import { brokenRun, checkWith, fileOf, greenRun, redRun } from './proof.fixture.js';
import { runCheck } from './run-check.js';
import { runChecks } from './run-checks.js';

const SOURCE: readonly FileChange[] = [fileOf('src/a.mjs')];
const TEST: readonly FileChange[] = [fileOf('a.test.mjs', 'added')];

/** What files hold on the base and in the result. */
interface Texts {
  readonly filesBefore: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

async function run(
  answer: (nth: number, run: CleanRun) => VerifyReport,
  more: { files?: readonly FileChange[]; checks?: object[]; texts?: Texts } = {},
) {
  let nth = 0;
  const world = fakeParts({ clean: (clean) => answer((nth += 1), clean), ...more.texts });
  const { activity } = new Visit({ checks: more.checks ?? [checkWith('C-001')] });
  const changed = sortChangedFiles({ files: more.files ?? SOURCE });
  return {
    facts: await runChecks(world.parts, activity, WORKTREE, { commit: 'done', changed }),
    runs: world.cleanRuns,
  };
}

describe('the checks of the result', () => {
  it('run twice in the clean room with their own files', async () => {
    const { facts, runs } = await run(() => greenRun());
    const { files, command } = checkWith('C-001');
    expect(runs).toMatchObject([
      { tree: { commit: 'done', files, isWithoutGit: true }, commands: [command] },
      { tree: { commit: 'done', files, isWithoutGit: true }, commands: [command] },
    ]);
    expect(facts[0]).toMatchObject({
      onBase: [{ kind: 'assertion' }],
      onResult: [{ kind: 'green' }, { kind: 'green' }],
    });
  });

  it.each([
    ['pass, then fail', (nth: number) => (nth === 1 ? greenRun() : redRun()), ['green', 'assertion']],
    ['fail, then pass', (nth: number) => (nth === 1 ? redRun() : greenRun()), ['assertion', 'green']],
    ['fail twice', () => redRun(), ['assertion', 'assertion']],
    ['are broken', () => brokenRun(), ['broken', 'broken']],
  ])('show both results if they %s', async (_title, answer, kinds) => {
    const { facts, runs } = await run(answer);
    expect([facts[0]?.onResult.map(({ kind }) => kind), runs.length]).toEqual([kinds, 2]);
  });

  it('say nothing if their tree cannot be set up', async () => {
    const setupFailure = { reason: 'There is no lock file.', output: 'npm error' };
    const { facts } = await run(() => ({ ...verifiedAs('failed'), setupFailure }) as VerifyReport);
    expect(facts[0]?.onResult[0]).toEqual({ kind: 'broken', reason: 'There is no lock file.' });
  });

  it('do not pass if tests fail, though the command ends with 0', async () => {
    const { facts } = await run(() => verifiedAs('passed', { failed: 1 }, 'not ok 1 - it is dark'));
    expect(facts[0]?.onResult.map(({ kind }) => kind)).toEqual(['assertion', 'assertion']);
  });

  it('do not pass if a runner reported their tests on the base, and reports none now', async () => {
    const checks = [checkWith('C-001', { hasTests: true })];
    const silent = await run(() => greenRun(), { checks });
    expect(silent.facts[0]?.onResult.map(({ kind }) => kind)).toEqual(['broken', 'broken']);
    const empty = await run(() => verifiedAs('passed', { passed: 0 }), { checks: [checkWith('C-001')] });
    expect(empty.facts[0]?.onResult.map(({ kind }) => kind)).toEqual(['broken', 'broken']);
    const counted = await run(() => verifiedAs('passed', { passed: 1 }), { checks });
    expect(counted.facts[0]?.onResult.map(({ kind }) => kind)).toEqual(['green', 'green']);
  });

  it("run again on the base's sources if tests or manifests changed", async () => {
    const { facts, runs } = await run((_nth, { tree }) => (tree.overlays ? redRun() : greenRun()), {
      files: [...SOURCE, ...TEST],
    });
    expect(runs.at(-1)?.tree).toMatchObject({ commit: 'done', overlays: [{ from: 'base', paths: ['src/a.mjs'] }] });
    expect(facts[0]?.onBase).toEqual([{ kind: 'assertion' }, { kind: 'assertion' }]);
  });

  it('take the documents of the base too, since a part may be a text', async () => {
    const isOwn = ({ tree }: CleanRun): boolean => tree.overlays?.[0]?.paths.includes('README.md') ?? false;
    const { facts } = await run((_nth, clean) => (isOwn(clean) ? redRun() : greenRun()), {
      files: [...SOURCE, ...TEST, fileOf('README.md')],
    });
    expect(facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'assertion']);
  });

  describe("are broken on the base's sources with the result's manifests", () => {
    const files = [...SOURCE, fileOf('package.json'), fileOf('package-lock.json')];
    const isOwn = ({ tree }: CleanRun): boolean => tree.overlays?.[0]?.paths.includes('package.json') ?? false;
    const answer = (own: VerifyReport) => (_nth: number, clean: CleanRun) =>
      isOwn(clean) ? own : clean.tree.overlays ? brokenRun() : greenRun();

    it("and run once more with the base's own manifests", async () => {
      const { facts, runs } = await run(answer(redRun()), { files });
      expect(runs.at(-1)?.tree.overlays).toEqual([
        { from: 'base', paths: ['src/a.mjs', 'package.json', 'package-lock.json'] },
      ]);
      expect(facts[0]?.onBase).toEqual([{ kind: 'assertion' }, { kind: 'assertion' }]);
    });

    it('and count as broken if they are broken with both', async () => {
      const { facts } = await run(answer(brokenRun()), { files });
      expect(facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'broken']);
    });

    it('and show that they prove nothing if they pass with them', async () => {
      const { facts } = await run(answer(greenRun()), { files });
      expect(facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'green']);
    });
  });

  describe("pass on the base's sources with the tests and manifests of the result", () => {
    const files = [...SOURCE, fileOf('package.json')];
    const forgeable = {
      filesBefore: { 'package.json': JSON.stringify({ scripts: { test: 'node --test' } }) },
      files: { 'package.json': JSON.stringify({ scripts: { test: 'echo "# pass 1"', units: 'echo d' } }) },
    };
    const npmCheck = checkWith('C-001', { command: 'npm test -- check.mjs' });
    const isWhole = ({ tree }: CleanRun): boolean => tree.commit === 'base';
    const isSteady = ({ tree }: CleanRun): boolean => (tree.files ?? []).some(({ path }) => path === 'package.json');

    it('and count as red, for a reader to confirm, if they fail on the whole base', async () => {
      const { facts, runs } = await run((_nth, clean) => (isWhole(clean) ? redRun() : greenRun()), { files });
      expect(facts[0]).toMatchObject({
        onBase: [{ kind: 'assertion' }, { kind: 'assertion' }],
        isBesideSources: true,
      });
      expect(runs.at(-1)?.tree).toMatchObject({ commit: 'base', isWithoutGit: true });
    });

    it('and show that they prove nothing if they pass on the whole base', async () => {
      const { facts } = await run(() => greenRun(), { files });
      expect(facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'green']);
      expect(facts[0]?.isBesideSources).toBeUndefined();
    });

    it('and prove nothing if they fail on the result with the test settings of the base', async () => {
      const forged = await run((_nth, clean) => (isWhole(clean) || isSteady(clean) ? redRun() : greenRun()), {
        ...{ files, texts: forgeable, checks: [npmCheck] },
      });
      expect(forged.facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'green']);
      const [settings, own] = forged.runs.at(-1)?.tree.files ?? [];
      expect([JSON.parse(settings?.content ?? ''), own]).toEqual([
        { scripts: { test: 'node --test', units: 'echo d' } },
        npmCheck.files[0],
      ]);
    });

    it('and need no such run if nothing but the check itself decides how it runs', async () => {
      const { facts, runs } = await run((_nth, clean) => (isWhole(clean) ? redRun() : greenRun()), {
        ...{ files, texts: forgeable },
      });
      expect([facts[0]?.isBesideSources, runs.some(isSteady)]).toEqual([true, false]);
    });

    it('and may run with new settings of a manifest if their part is about how something is run', async () => {
      const checks = [checkWith('C-001', { command: 'npm test', title: 'npm test prints a coverage report' })];
      const { facts } = await run((_nth, clean) => (isWhole(clean) || isSteady(clean) ? redRun() : greenRun()), {
        ...{ files: [fileOf('package.json')], texts: forgeable, checks },
      });
      expect(facts[0]?.isBesideSources).toBe(true);
    });

    it('and may run with a new configuration of the runner, but not with new helpers, if their part is about it', async () => {
      const checks = [checkWith('C-001', { command: 'npm test', title: 'npm test prints a coverage report' })];
      const changed = [fileOf('vitest.config.ts'), fileOf('test/helper.mjs')];
      const isOld = ({ tree }: CleanRun): boolean =>
        (tree.overlays ?? []).some(({ paths }) => paths.includes('vitest.config.ts'));
      const { facts, runs } = await run((_nth, clean) => (isWhole(clean) || isOld(clean) ? redRun() : greenRun()), {
        ...{ files: changed, checks },
      });
      expect(facts[0]?.isBesideSources).toBe(true);
      expect(runs.at(-1)?.tree.overlays).toEqual([{ from: 'base', paths: ['test/helper.mjs'] }]);
    });

    it('and run with the helpers and the configuration of the base, but with the tests of the result', async () => {
      const tests = [fileOf('a.test.mjs'), fileOf('test/helper.mjs'), fileOf('vitest.config.ts', 'added')];
      const { runs } = await run((_nth, clean) => (isWhole(clean) ? redRun() : greenRun()), {
        ...{ files: [...SOURCE, ...tests], checks: [npmCheck] },
      });
      expect(runs.at(-1)?.tree.overlays).toEqual([{ from: 'base', paths: ['test/helper.mjs', 'vitest.config.ts'] }]);
    });
  });

  it('see the whole base again if settings alone changed, since those may forge the pass', async () => {
    const isWhole = ({ tree }: CleanRun): boolean => tree.commit === 'base';
    const isSteady = ({ tree }: CleanRun): boolean => tree.overlays?.[0]?.paths[0] === 'unittest.py';
    const checks = [checkWith('C-001', { command: 'python3 -m unittest check' })];
    const { facts } = await run((_nth, clean) => (isWhole(clean) || isSteady(clean) ? redRun() : greenRun()), {
      ...{ files: [fileOf('unittest.py', 'added')], checks },
    });
    expect(facts[0]?.onBase.map(({ kind }) => kind)).toEqual(['assertion', 'green']);
  });

  it('of what stays run on the result alone: they pass on the base', async () => {
    const checks = [checkWith('C-001', { red: { kind: 'kept' } })];
    const { facts, runs } = await run(() => greenRun(), { checks, files: [...SOURCE, ...TEST] });
    expect(facts).toMatchObject([{ onBase: [{ kind: 'green' }], onResult: [{ kind: 'green' }, { kind: 'green' }] }]);
    expect(runs.every(({ tree }) => tree.overlays === undefined)).toBe(true);
  });

  it('leave out those that were ruled wrong', async () => {
    expect((await run(() => greenRun(), { checks: [checkWith('C-001', { dropped: 'wrong' })] })).facts).toEqual([]);
  });
});

describe('one run of a check', () => {
  const runOne = (report: VerifyReport) => {
    const { parts } = fakeParts({ verify: () => report });
    const wish = { check: checkWith('C-001'), commit: 'done', step: 'check' };
    return runCheck(parts, new Visit({}).activity, WORKTREE, wish);
  };

  it('is green only if the command ended by itself with 0 and no test failed', async () => {
    expect((await runOne(greenRun())).isGreen).toBe(true);
    expect((await runOne(redRun())).isGreen).toBe(false);
    expect((await runOne(verifiedAs('passed', { failed: 1 }))).isGreen).toBe(false);
    const ended = greenRun().commands.map((one) => ({ ...one, endedBy: 'time-out' as const }));
    expect((await runOne({ ...greenRun(), commands: ended })).isGreen).toBe(false);
    expect(await runOne({ ...greenRun(), commands: [], reason: 'nothing to run' })).toMatchObject({
      ...{ isGreen: false, output: 'nothing to run' },
    });
  });
});
