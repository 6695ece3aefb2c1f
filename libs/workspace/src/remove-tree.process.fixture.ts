import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlaceNotes } from './place-notes.js';
import { removeTree } from './remove-tree.js';
import { clearParts, makeOwn, removeFiles } from './setup/index.js';

/** Lays a folder as Go lays its module cache, then has it taken away by one of those who do so. */
const [deed = '', folder = ''] = process.argv.slice(2);

function layReadOnly(root: string): void {
  const deep = join(root, 'go/pkg/mod/cache/one@v1/sub');
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'x.go'), 'package x\n', { mode: 0o444 });
  symlinkSync(join(folder, 'outside'), join(deep, 'link'));
  for (const locked of [deep, join(deep, '..')]) chmodSync(locked, 0o555);
  mkdirSync(join(root, 'closed'));
  writeFileSync(join(root, 'closed/file'), 'x');
  chmodSync(join(root, 'closed'), 0);
}

const DEEDS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a tree': () => {
    layReadOnly(join(folder, 'tree'));
    return removeTree(join(folder, 'tree'));
  },
  'the place of a worktree': () => {
    layReadOnly(join(folder, 'project/home'));
    return new PlaceNotes(folder).forget({ projectId: 'project' });
  },
  'half-made dependencies': () => {
    layReadOnly(join(folder, '.qralph-part-node_modules'));
    return clearParts(folder);
  },
  'files that set-up did not make, in a folder that it made': async () => {
    const root = join(folder, 'tree');
    layReadOnly(join(root, 'dist/stray'));
    mkdirSync(join(root, 'dist/known'));
    chmodSync(join(root, 'dist'), 0o555);
    await removeFiles(root, ['dist/'], ['dist/known/']);
    if (readdirSync(join(root, 'dist')).join() !== 'known') throw new Error('it is still there');
  },
  'dependencies that were replaced': () => {
    const old = join(folder, '.qralph-old-node_modules');
    layReadOnly(old);
    mkdirSync(join(folder, 'node_modules'));
    const none = { folders: [], method: 'hard-link', files: 0, writable: [], outsideLinks: [] } as const;
    return makeOwn({ ...none, readOnly: [join(folder, 'node_modules')] });
  },
};

await DEEDS[deed]?.();
