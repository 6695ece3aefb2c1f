import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { NOT_RUN, runBaseTests } from './base-tests.js';
import { type FileChange, sortChangedFiles } from './changed-files.js';
import { failingRun, fileOf } from './proof.fixture.js';

type Changed = readonly FileChange[];

const TESTS: Changed = [fileOf('test/a.test.mjs')];
const MANIFEST: Changed = [fileOf('package.json')];

interface World {
  readonly files?: Changed;
  readonly runs?: readonly VerifyReport[];
  readonly context?: Readonly<Record<string, unknown>>;
  readonly calledFiles?: readonly string[];
  readonly mayLackTests?: boolean;
  readonly baseline?: VerifyReport;
  readonly scripts?: { readonly before: object; readonly after: object };
  /** Texts of changed manifests before and after the change. */
  readonly texts?: {
    readonly before: Readonly<Record<string, string>>;
    readonly after: Readonly<Record<string, string>>;
  };
}

const inPackage = (report: VerifyReport): VerifyReport => ({
  ...report,
  commands: report.commands.map((one) => ({ ...one, command: `cd packages/p && ${one.command}` })),
});

async function run(given: World) {
  const { files = TESTS, runs = [failingRun()], context = {}, calledFiles = [], scripts, texts, ...more } = given;
  const left = [...runs];
  const manifest = (of: object | undefined) => {
    const text = JSON.stringify({ scripts: of ?? {} });
    return { 'package.json': text, 'packages/p/package.json': text };
  };
  const world = fakeParts({
    verify: () => left.shift() ?? failingRun('one run too many'),
    files: texts?.after ?? manifest(scripts?.after),
    filesBefore: texts?.before ?? manifest(scripts?.before),
  });
  const { activity } = new Visit({ ...context });
  const wish = {
    commit: 'done',
    baseline: failingRun('old'),
    changed: sortChangedFiles({ files }),
    calledFiles,
    ...more,
  };
  return { seen: await runBaseTests(world.parts, activity, WORKTREE, wish), runs: world.cleanRuns };
}

describe("the base's tests on the result", () => {
  it('are not run if the change left tests and scripts alone', async () => {
    const files: Changed = [fileOf('src/a.mjs')];
    const { seen, runs } = await run({ files });
    expect([seen, runs]).toEqual([NOT_RUN, []]);
  });

  it('replace changed and deleted tests by those of the base', async () => {
    const { seen, runs } = await run({ files: [...TESTS, fileOf('b.test.mjs', 'deleted')] });
    expect(runs).toMatchObject([
      {
        tree: { commit: 'done', overlays: [{ from: 'base', paths: ['test/a.test.mjs', 'b.test.mjs'] }] },
        commands: ['npm test'],
      },
    ]);
    expect(seen).toMatchObject({ wereRun: true, newFailures: [] });
  });

  it('say which old tests fail on the new code, after a second look', async () => {
    const { seen, runs } = await run({ runs: [failingRun('old', 'kept'), failingRun('old', 'kept')] });
    expect([seen.newFailures, seen.failing, runs.length]).toEqual([['kept'], ['old', 'kept'], 2]);
    expect(seen.output).toContain('not ok 2 - kept');
  });

  it('do not count a flaky test', async () => {
    expect((await run({ runs: [failingRun('kept'), failingRun()] })).seen.newFailures).toEqual([]);
    const known = await run({ runs: [failingRun('kept')], context: { flakyTests: ['kept'] } });
    expect([known.seen.newFailures, known.runs.length]).toEqual([[], 1]);
  });

  it('run by the script of the base if the change rewrote it', async () => {
    const scripts = { before: { test: 'node --test' }, after: { test: 'true' } };
    const { runs } = await run({ files: MANIFEST, scripts });
    expect(runs[0]?.commands).toEqual(['npm test']);
    expect(runs[0]?.tree.files).toMatchObject([
      { path: 'package.json', content: '{\n  "scripts": {\n    "test": "node --test"\n  }\n}\n' },
    ]);
  });

  it.each([
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "--deselect tests/test_price.py"\n', '[project]\n'],
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-k \'not price\'"\n', '[project]\n'],
    ['package.json', '{"name":"a","jest":{"testPathIgnorePatterns":["price"]}}', '{\n  "name": "a"\n}\n'],
  ])('run with the settings of the base in %s, if the change says %j', async (path, after, content) => {
    const before = path === 'package.json' ? '{"name":"a"}' : '[project]\n';
    const texts = { before: { [path]: before }, after: { [path]: path === 'package.json' ? after : before + after } };
    const { seen, runs } = await run({ files: [fileOf(path)], texts, runs: Array(2).fill(failingRun('price')) });
    expect(runs[0]?.tree).toMatchObject({ commit: 'done', files: [{ path, content }] });
    expect(seen).toMatchObject({ wereRun: true, newFailures: ['price'] });
  });

  it('run by the script of a package of the base if the change rewrote it', async () => {
    const scripts = { before: { test: 'node --test' }, after: { test: 'true' } };
    const baseline = inPackage(failingRun('old'));
    const { runs } = await run({ files: [fileOf('packages/p/package.json')], scripts, baseline });
    expect(runs[0]?.commands).toEqual(['cd packages/p && npm test']);
    expect(runs[0]?.tree.files).toMatchObject([
      { path: 'packages/p/package.json', content: '{\n  "scripts": {\n    "test": "node --test"\n  }\n}\n' },
    ]);
  });

  it('run by the files of the base that a verify command calls', async () => {
    const { runs } = await run({ files: [], calledFiles: ['scripts/test.sh'] });
    expect(runs[0]?.tree.overlays).toEqual([{ from: 'base', paths: ['scripts/test.sh'] }]);
  });

  it('run without test settings that the change added, and without its new tests', async () => {
    const { runs } = await run({ files: [fileOf('conftest.py', 'added'), fileOf('tests/test_new.py', 'added')] });
    expect(runs[0]?.tree.overlays).toEqual([{ from: 'base', paths: ['conftest.py', 'tests/test_new.py'] }]);
  });

  it('are counted without new tests if new tests may make up for some of them', async () => {
    const files = [fileOf('pyproject.toml'), fileOf('tests/test_new.py', 'added')];
    const fewer = { ...failingRun('old'), counts: { runner: 'pytest' as const, passed: 1, failed: 1, skipped: 0 } };
    const { seen, runs } = await run({ files, mayLackTests: true, runs: [fewer] });
    expect(runs[0]?.tree.overlays).toEqual([{ from: 'base', paths: ['tests/test_new.py'] }]);
    expect(seen.lost).toEqual(['1 of 3 tests']);
  });

  it('are not run if the manifest changed, but no script of a verify command', async () => {
    const scripts = { before: { test: 'node --test' }, after: { test: 'node --test', lint: 'eslint .' } };
    expect((await run({ files: MANIFEST, scripts })).runs).toEqual([]);
  });

  describe('that fail with the settings of the base', () => {
    const scripts = { before: { test: 'node --test' }, after: { test: 'RATE=1 node --test' } };
    const failing = [failingRun('old', 'kept'), failingRun('old', 'kept')];
    const seenWith = async (third: VerifyReport, more: World = {}) =>
      (await run({ files: [...MANIFEST, ...TESTS], scripts, runs: [...failing, third], ...more })).seen;

    it('are not new failures if all of them pass with the settings of the result, which somebody has to confirm', async () => {
      const { seen, runs } = await run({
        files: [...MANIFEST, ...TESTS],
        scripts,
        runs: [...failing, failingRun('old')],
      });
      expect(seen).toMatchObject({ wereRun: true, newFailures: [], neededSettings: ['package.json'] });
      expect(runs.at(-1)?.tree).toEqual({ commit: 'done', overlays: [{ from: 'base', paths: ['test/a.test.mjs'] }] });
    });

    it.each([
      ['they still fail', failingRun('old', 'kept')],
      ['fewer of them run', { ...failingRun('old'), counts: { runner: 'node', passed: 1, failed: 1, skipped: 0 } }],
      ['nothing says that they ran', { ...failingRun('old'), counts: null }],
    ])('are new failures if %s with the settings of the result', async (_title, third) => {
      const seen = await seenWith(third);
      expect([seen.newFailures, seen.neededSettings]).toEqual([['kept'], undefined]);
    });

    it('are new failures if the change rewrote a file that a verify command calls', async () => {
      expect((await seenWith(failingRun('old'), { calledFiles: ['test.sh'] })).newFailures).toEqual(['kept']);
    });
  });
});
