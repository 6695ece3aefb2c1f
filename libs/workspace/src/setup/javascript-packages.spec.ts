import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { workspaceMembers } from './javascript-packages.js';

let at: ReturnType<typeof tempFolder>;
afterEach(() => at.remove());

const FOLDERS = ['packages/one', 'packages/old', 'frontend', 'tools/report'];

async function membersWith(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  at = tempFolder('workspace');
  mkdirSync(at.path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at.path, name), text);
  return FOLDERS.filter(await workspaceMembers(at.path));
}

const manifest = (workspaces: unknown) => ({ 'package.json': JSON.stringify({ workspaces }) });

it('the members of a workspace are those that npm, yarn and pnpm list', async () => {
  expect(await membersWith(manifest(['./packages/*/']))).toEqual(['packages/one', 'packages/old']);
  expect(await membersWith(manifest({ packages: ['packages/**', '!packages/old'] }))).toEqual(['packages/one']);
  const yaml = "packages:\n  # apps\n  - 'tools/*' # more\n  - frontend\ncatalog:\n  - packages/one\n";
  expect(await membersWith({ 'pnpm-workspace.yaml': yaml })).toEqual(['frontend', 'tools/report']);
});

it('a repository without a workspace has no members', async () => {
  expect(await membersWith({})).toEqual([]);
  expect(await membersWith({ 'package.json': '{', 'pnpm-workspace.yaml': ': - [' })).toEqual([]);
});
