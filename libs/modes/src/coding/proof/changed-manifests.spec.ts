import { expect, it } from 'vitest';
import { fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { sortChangedFiles } from './changed-files.js';
import { withManifests } from './changed-manifests.js';
import { fileOf } from './proof.fixture.js';

const BASE = { name: 'a', main: 'index.js' };
const TEST = fileOf('test/a.test.mjs', 'added');

async function touchesCode(paths: readonly string[], result: object): Promise<boolean> {
  const files = { 'package.json': JSON.stringify(result) };
  const { parts } = fakeParts({ filesBefore: { 'package.json': JSON.stringify(BASE) }, files });
  const changed = sortChangedFiles({ files: [TEST, ...paths.map((path) => fileOf(path))] });
  const seen = await withManifests(parts, new Visit({}).activity, WORKTREE, { commit: 'done', changed });
  return seen.touchesCode;
}

const LOCK = 'package-lock.json';
const TESTED = { ...BASE, devDependencies: { vitest: '5' } };

it('a manifest that changes with tests changes code if it changes more than they need', async () => {
  expect(await touchesCode(['package.json', LOCK], TESTED)).toBe(false);
  expect(await touchesCode(['package.json', LOCK], { ...TESTED, main: 'other.js' })).toBe(true);
});

it('a lock file that changes without a manifest installs other versions, which changes code', async () => {
  expect(await touchesCode([LOCK], BASE)).toBe(true);
});

it('tests alone change no code', async () => {
  expect(await touchesCode([], BASE)).toBe(false);
});
