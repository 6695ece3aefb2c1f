import { join } from 'node:path';
import { UserError } from '#kernel';
import { removeTree } from '../remove-tree.js';
import type { Checkout } from './checkout.js';
import { newInspection } from './repository-views.js';

/** What is never put into a commit here, unless the repository itself has files in such a folder. */
const NEVER_COMMITTED = ['node_modules', '.venv', '__pycache__', '.pytest_cache'];
const SUBMODULE = '160000';
const SHOWN = 5;

/** Refuses what a worktree of this commit could not hold whole; answers with the folders to ignore in it. */
export async function inspectTree(
  checkout: Checkout,
  commit: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { stdout } = await checkout.inRepo(['ls-tree', '-r', '-z', commit], signal && { signal });
  const submodules: string[] = [];
  let hasAttributes = false;
  const tracked = new Set<string>();
  for (const entry of stdout.toString('utf8').split('\0')) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (entry.startsWith(SUBMODULE)) submodules.push(path);
    if (path === '.gitattributes' || path.endsWith('/.gitattributes')) hasAttributes = true;
    for (const name of NEVER_COMMITTED) if (path.includes(`${name}/`)) tracked.add(name);
  }
  if (submodules.length > 0) throw withSubmodules(checkout, submodules);
  if (hasAttributes) await refuseLfs(checkout, commit);
  return NEVER_COMMITTED.filter((name) => !tracked.has(name));
}

const withSubmodules = (checkout: Checkout, paths: readonly string[]): UserError =>
  new UserError(
    'REPO_SUBMODULES',
    `${checkout.place.repo} has submodules (${shown(paths)}), which a worktree does not bring along. ` +
      'Start the project in the repository of the submodule, or give a ref without them.',
    { paths: paths.slice(0, SHOWN) },
  );

/**
 * Git LFS is a program that the configuration names and git would start outside the sandbox. Without it files are the
 * few lines that stand for them: tests would see those, and an agent that replaces one would commit it as it is.
 */
async function refuseLfs(checkout: Checkout, commit: string): Promise<void> {
  const names = await lfsFiles(checkout, commit);
  if (names.length === 0) return;
  throw new UserError(
    'REPO_LFS',
    `${checkout.place.repo} keeps files in Git LFS (${shown(names)}), which cannot be worked on. ` +
      'Give a ref without such files; git lfs migrate export makes one.',
    { paths: names.slice(0, SHOWN) },
  );
}

/** By the attributes that the commit itself holds: an index of its own, and a folder that holds no files. */
async function lfsFiles(checkout: Checkout, commit: string): Promise<readonly string[]> {
  const folder = await newInspection(checkout.view);
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index'), GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' };
    await checkout.inRepo(['read-tree', commit], { env });
    const { stdout } = await checkout.inRepo(['ls-files', '-z', ':(top,attr:filter=lfs)'], { env, cwd: folder });
    return stdout
      .toString('utf8')
      .split('\0')
      .filter((name) => name !== '');
  } finally {
    await removeTree(folder);
  }
}

const shown = (names: readonly string[]): string =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${String(names.length - SHOWN)} more` : '');
