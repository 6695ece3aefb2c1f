import { describe, expect, it } from 'vitest';
import type { CleanRun } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { findUnrunFiles } from './new-tests.js';

const PATH = 'test/dark.test.mjs';
const SOURCE = "test('is dark', () => {});";

const find = (
  output: string,
  counts: object = {},
  paths: readonly string[] = [PATH],
  files: Readonly<Record<string, string>> = { [PATH]: SOURCE },
) => {
  const { parts } = fakeParts({ files });
  const result = verifiedAs('passed', counts, output);
  const wish = { commit: 'done', paths, result, baseline: verifiedAs('passed') };
  return findUnrunFiles(parts, new Visit({}).activity, WORKTREE, wish);
};

it('finds nothing without new test files', async () => {
  expect(await find('ok 1 - other', {}, [])).toEqual([]);
});

it('believes a new test file that the output names by its title', async () => {
  expect(await find('ok 1 - is dark', { passed: 4 })).toEqual([]);
});

it('reports a new test file whose tests the output does not name', async () => {
  expect(await find('ok 1 - other', { passed: 4 })).toEqual([PATH]);
});

it('looks at each new test file, however many there are', async () => {
  const numbers = Array.from({ length: 120 }, (_, nth) => nth + 1);
  const pathOf = (nth: number) => `test/a${String(nth)}.test.mjs`;
  const files = Object.fromEntries(numbers.map((nth) => [pathOf(nth), `test('says ${String(nth)}', () => {});`]));
  const printed = (left: readonly number[]) => left.map((nth) => `ok ${String(nth)} - says ${String(nth)}`).join('\n');
  const paths = numbers.map(pathOf);
  expect(await find(printed(numbers), { passed: 123 }, paths, files)).toEqual([]);
  const left = numbers.filter((nth) => nth !== 40 && nth !== 120);
  expect(await find(printed(left), { passed: 121 }, paths, files)).toEqual([pathOf(40), pathOf(120)]);
});

it('reports a file that the runner calls empty, though it has tests', async () => {
  expect(await find('ok 1 - is dark', { passed: 4, emptyFiles: ['dark.test.mjs'] })).toEqual([PATH]);
  expect(await find('ok 1 - is dark', { passed: 4, emptyFiles: ['other.test.mjs'] })).toEqual([]);
});

describe('if no runner says which tests it runs', () => {
  const tryOut = async (fails: (run: CleanRun) => boolean, command = 'make test') => {
    const { parts, cleanRuns } = fakeParts({
      files: { [PATH]: SOURCE },
      clean: (run) => {
        const report = verifiedAs(fails(run) ? 'failed' : 'passed', null);
        return { ...report, commands: report.commands.map((one) => ({ ...one, command })) };
      },
    });
    const plain = verifiedAs('passed', null, 'done');
    const result = { ...plain, commands: plain.commands.map((one) => ({ ...one, command })) };
    const wish = { commit: 'done', paths: [PATH], result, baseline: result };
    return { unrun: await findUnrunFiles(parts, new Visit({}).activity, WORKTREE, wish), cleanRuns };
  };

  it('a new test file runs if the commands fail with a failing one in its place', async () => {
    const { unrun, cleanRuns } = await tryOut(() => true);
    expect(unrun).toEqual([]);
    expect(cleanRuns).toMatchObject([
      { tree: { commit: 'done', files: [{ path: PATH, content: "throw new Error('This test always fails.');\n" }] } },
    ]);
  });

  it('a new test file does not run if they still pass', async () => {
    expect((await tryOut(() => false)).unrun).toEqual([PATH]);
  });

  it('a command that builds says nothing', async () => {
    const { unrun, cleanRuns } = await tryOut(() => true, 'npm run build');
    expect([unrun, cleanRuns]).toEqual([[PATH], []]);
  });
});
