import { expect, it } from 'vitest';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { focusOn, readScripts } from './focus.js';
import { failingRun } from './proof.fixture.js';

const focus = (manifest: string, names: readonly string[], baseline = failingRun('rounds', 'adds')) => {
  const { parts } = fakeParts({ files: { 'package.json': manifest } });
  return focusOn(parts, new Visit({}).activity, WORKTREE, { commit: 'done', names, baseline });
};
const MOCHA = '{"scripts":{"test":"mocha"}}';

it('runs only the wanted tests if the runner can select them', async () => {
  expect(await focus(MOCHA, ['rounds'])).toEqual(["npm test -- --grep '^(?:rounds)$'"]);
});

it.each([
  ['no such test failed in the baseline', MOCHA, ['other']],
  ['no test is wanted', MOCHA, []],
  ['the script is no known runner', '{"scripts":{"test":"make check"}}', ['rounds']],
])('runs everything if %s', async (_title, manifest, names) => {
  expect(await focus(manifest, names)).toBeNull();
});

it('runs everything if the baseline names a command, and no test', async () => {
  expect(await focus('{"scripts":{"test":"make check"}}', ['npm test'], verifiedAs('failed', null, 'boom'))).toBeNull();
});

it.each([
  ['{"scripts":{"test":"node --test","bad":3}}', { test: 'node --test' }],
  ['{"scripts":[]}', {}],
  ['{', {}],
])('reads the scripts of %s', async (manifest, scripts) => {
  const { parts } = fakeParts({ files: { 'package.json': manifest } });
  expect(await readScripts(parts, new Visit({}).activity, WORKTREE, 'done')).toEqual(scripts);
});

it('reads no scripts without a package.json', async () => {
  expect(await readScripts(fakeParts().parts, new Visit({}).activity, WORKTREE, 'done')).toEqual({});
});
