import { afterEach, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { detectPackageSetups } from './package-setups.js';
import { type Files, write } from './setup.fixture.js';

let at: ReturnType<typeof tempFolder>;
afterEach(() => at.remove());

async function setupsOf(files: Files): Promise<readonly string[]> {
  at = tempFolder('package-setups');
  write(at.path, files);
  return (await detectPackageSetups(at.path)).map(({ package: name, setup }) => `${name}: ${setup.tool}`);
}

it('packages with lock files of their own are set up, whatever the root has', async () => {
  const root = { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}' };
  const web = { 'web/package.json': '{}', 'web/yarn.lock': '' };
  const api = { 'services/api/requirements.txt': '', 'services/plain/package.json': '{}' };
  expect(await setupsOf({ ...root, ...web, ...api })).toEqual(['services/api: pip', 'web: yarn-classic']);
});

it('members of the workspace of the root are left to the root', async () => {
  const root = { 'package.json': '{"workspaces":["packages/*"]}' };
  const member = { 'packages/one/package.json': '{}', 'packages/one/package-lock.json': '{}' };
  expect(await setupsOf({ ...root, ...member, 'packages/one/requirements.txt': '' })).toEqual(['packages/one: pip']);
});

it('modules of a maven build are left to the root', async () => {
  expect(await setupsOf({ 'pom.xml': '', 'core/pom.xml': '' })).toEqual([]);
});

it('a maven build beside another root is set up', async () => {
  expect(await setupsOf({ 'package.json': '{}', 'core/pom.xml': '' })).toEqual(['core: maven']);
});
