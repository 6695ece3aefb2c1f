import { expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import type { RequestPart } from '../scoping/request-plan.js';
import { sortChangedFiles } from './changed-files.js';
import { MUTANT_MAKER } from './mutant.js';
import { brokenRun, failingRun, fileOf, greenRun, planWith } from './proof.fixture.js';
import { tryTestsOfParts } from './tests-of-parts.js';

const FIX: RequestPart = { title: 'It rounds up', interface: 'round()', failingTests: [] };
const TEST: RequestPart = { title: 'A regression test covers it', interface: '', failingTests: [], kind: 'tests' };
const OTHER: RequestPart = { ...TEST, title: 'Tests cover negative numbers' };

interface World {
  readonly tests?: RequestPart;
  readonly files?: readonly string[];
  readonly run?: (run: CleanRun, nth: number) => VerifyReport;
}

async function tryOut({
  tests = TEST,
  files = ['src/a.mjs', 'test/a.test.mjs'],
  run = () => failingRun(),
}: World = {}) {
  let count = 0;
  const world = fakeParts({
    clean: (one) => run(one, (count += 1)),
    agent: byRole({ [MUTANT_MAKER]: () => ({ output: { summary: 'rounds down' } }) }),
    between: (from, to) => (from === 'done' && to === 'left' ? { files: [fileOf('src/a.mjs')] } : null),
    files: { 'src/a.mjs': 'wrong' },
  });
  const visit = new Visit({ baseline: failingRun('old') });
  const tested = await tryTestsOfParts(world.parts, visit.activity, WORKTREE, {
    commit: 'done',
    plan: planWith({ parts: [FIX, tests] }),
    judgedAs: 'behaviour',
    changed: sortChangedFiles({ files: files.map((path) => fileOf(path)) }),
    baseline: failingRun('old'),
    result: failingRun('old'),
  });
  return { ...world, hasRedTest: tested.kind === 'tried' ? tested.hasRedTest : 'stopped' };
}

it('a new test says something if it fails with the sources of the base', async () => {
  const { hasRedTest, cleanRuns } = await tryOut({ run: () => failingRun('old', 'new') });
  expect(hasRedTest).toBe(true);
  expect(cleanRuns.map(({ tree }) => tree)).toEqual(
    [1, 2].map(() => ({ commit: 'done', overlays: [{ from: 'base', paths: ['src/a.mjs'] }] })),
  );
});

it('a regression test says nothing if it passes with the sources of the base, or fails there in one run only', async () => {
  const { hasRedTest, asked } = await tryOut({ run: () => failingRun('old') });
  expect([hasRedTest, asked]).toEqual([false, []]);
  expect((await tryOut({ run: (_, nth) => (nth === 1 ? failingRun('new') : failingRun()) })).hasRedTest).toBe(false);
});

it('another test may be about what works: then it has to fail on a wrong variant of the code', async () => {
  const notices = ({ tree }: CleanRun) => (tree.files && !tree.overlays ? failingRun('old', 'new') : failingRun('old'));
  const seen = await tryOut({ tests: OTHER, run: notices });
  expect([seen.hasRedTest, seen.asked.map(({ role }) => role)]).toEqual([true, [MUTANT_MAKER]]);
  expect((await tryOut({ tests: OTHER })).hasRedTest).toBe(false);
});

it('nobody can tell if the tests do not run with the sources of the base', async () => {
  expect((await tryOut({ run: () => brokenRun() })).hasRedTest).toBe(null);
});

it('nothing is run if no part asks for tests, or if the change has none', async () => {
  const { kind: _kind, ...plain } = TEST;
  for (const world of [{ tests: plain }, { files: ['src/a.mjs'] }]) {
    const { hasRedTest, cleanRuns } = await tryOut({ ...world, run: () => greenRun() });
    expect([hasRedTest, cleanRuns]).toEqual([null, []]);
  }
});
