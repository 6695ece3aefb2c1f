import { expect, it } from 'vitest';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { findUnrunFiles } from './new-tests.js';

const PATH = 'test/dark.test.mjs';
const SOURCE = "test('is dark', () => {});";

const find = (output: string, counts: object = {}, paths: readonly string[] = [PATH]) => {
  const { parts } = fakeParts({ files: { [PATH]: SOURCE } });
  const result = verifiedAs('passed', counts, output);
  const wish = { commit: 'done', paths, result, counts: { result, baseline: verifiedAs('passed') } };
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

it('reports a file that the runner calls empty, though it has tests', async () => {
  expect(await find('ok 1 - is dark', { passed: 4, emptyFiles: ['dark.test.mjs'] })).toEqual([PATH]);
  expect(await find('ok 1 - is dark', { passed: 4, emptyFiles: ['other.test.mjs'] })).toEqual([]);
});
