import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canRunUnprivileged, runUnprivileged, tempFolder, type TempFolder } from '#testing';
import { removeTree } from './remove-tree.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('remove-tree');
  mkdirSync(below('outside'));
  writeFileSync(below('outside/kept'), 'x');
  chmodSync(below('outside'), 0o555);
});
afterEach(() => {
  chmodSync(below('outside'), 0o755);
  return folder.remove();
});

const below = (name: string): string => join(folder.path, name);

describe.runIf(canRunUnprivileged())('a service that is not root', () => {
  it.each([
    ['a tree', ['outside']],
    ['the place of a worktree', ['outside']],
    ['half-made dependencies', ['outside']],
    ['files that set-up did not make, in a folder that it made', ['outside', 'tree']],
    ['dependencies that were replaced', ['node_modules', 'outside']],
  ])('takes away read-only folders, and follows no link out of them: %s', (deed, left) => {
    const fixture = new URL('./remove-tree.process.fixture.ts', import.meta.url);
    const { stderr, status } = runUnprivileged(fixture, [deed, folder.path], { owns: folder.path });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(readdirSync(folder.path)).toEqual(left);
    expect(readdirSync(below('outside'))).toEqual(['kept']);
    expect(statSync(below('outside')).mode & 0o777).toBe(0o555);
  });
});

it('takes a link away, not what it leads to; and nothing where nothing is', async () => {
  symlinkSync(below('outside'), below('link'));
  await removeTree(below('link'));
  await removeTree(below('no-such-thing'));
  expect(readdirSync(folder.path)).toEqual(['outside']);
  expect(readdirSync(below('outside'))).toEqual(['kept']);
});
