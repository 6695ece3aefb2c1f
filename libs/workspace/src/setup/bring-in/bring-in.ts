import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../../remove-tree.js';
import type { DetectedSetup } from '../detect-setup.js';
import { packagesOf } from '../installed/npm-install.js';
import { lacksDependencies } from '../installed/same-dependencies.js';
import { packageFolders } from '../javascript-packages.js';
import { isReachedPlainly, kindOf, readPlainFile } from '../plain-file.js';
import { bestMethod, type CopyMethod, copyTree } from './copy-tree.js';
import { fateOf } from './links.js';
import { CommandFailed, type OutsideCommands, reasonOf } from './outside-command.js';
import { GENERATED, SCRATCH } from './own-parts.js';
import { partOf } from './parts.js';
import { relocateVenv } from './relocate-venv.js';
import { scanTree, type TreeScan } from './tree-scan.js';

export interface BringInWish {
  readonly setup: DetectedSetup & { readonly folder: string };
  /** Root of the user's checkout. It is read, never written. */
  readonly checkout: string;
  readonly worktree: string;
  /** The path under which commands find the worktree, if it is another one. */
  readonly seenAs?: string;
  /** Only where every command in the worktree will run in a sandbox that keeps `readOnly`. */
  readonly mayHardLink: boolean;
  readonly outside: OutsideCommands;
}

/** Dependencies that came from the user's checkout; plain data, fit to be journalled. */
export interface BroughtIn {
  /** From the worktree's root; several where a monorepo has several. */
  readonly folders: readonly string[];
  readonly method: CopyMethod;
  readonly files: number;
  /** Whole paths of the folders whose files are hard links to the user's own: read-only wherever a command runs. */
  readonly readOnly: readonly string[];
  /** Whole paths of folders below those that are the worktree's own, and may be written. */
  readonly writable: readonly string[];
  /** Links that led out of the checkout; they were left out, those of a virtual environment aside. */
  readonly outsideLinks: readonly string[];
}

/** A folder that cannot be read, or that changes while it is read. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EINVAL'];
/** Reported at most. */
const MOST_LINKS = 50;

export type BringInOutcome = { readonly broughtIn: BroughtIn } | { readonly reason: string };

/**
 * Brings the dependency folders of the user's checkout into the worktree, whole or not at all, replacing what is there.
 * Whatever speaks against it is a reason and no failure: the set-up command does the work then.
 */
export async function bringIn(wish: BringInWish): Promise<BringInOutcome> {
  const { setup, checkout, worktree } = wish;
  const lacks = (): Promise<string | null> => lacksDependencies(setup, checkout, worktree);
  const reason = await lacks();
  if (reason !== null) return { reason };
  const folders = await foldersOf(wish);
  if (!(await isReachedPlainly(worktree, setup.folder))) return { reason: `a link leads to ${setup.folder}` };
  try {
    const parts: Part[] = [];
    for (const folder of folders) parts.push(await makePart(wish, folder));
    // The user may have been installing something else meanwhile.
    const since = (await lacks()) ?? (await missingPackage(wish, parts));
    if (since !== null) return { reason: since };
    for (const { folder } of parts) await putInPlace(worktree, folder);
    return { broughtIn: summary(wish, parts) };
  } catch (error) {
    if (!(error instanceof CommandFailed) && !UNREADABLE.includes(errorCode(error))) throw error;
    return { reason: reasonOf(error) };
  } finally {
    for (const folder of folders) await removeTree(partOf(join(worktree, folder)));
  }
}

interface Part {
  readonly folder: string;
  readonly method: CopyMethod;
  readonly scan: TreeScan;
  readonly outsideLinks: readonly string[];
  readonly own: readonly string[];
}

async function foldersOf({ setup, checkout, worktree }: BringInWish): Promise<string[]> {
  const packages = setup.language === 'javascript' ? await packageFolders(worktree) : [''];
  const all = packages.map((folder) => join(folder, setup.folder));
  const there = await Promise.all(all.map((folder) => kindOf(join(checkout, folder))));
  return all.filter((_, nth) => there[nth] === 'folder');
}

async function makePart(wish: BringInWish, folder: string): Promise<Part> {
  const { checkout, worktree, mayHardLink, outside, setup } = wish;
  const from = join(checkout, folder);
  const part = partOf(join(worktree, folder));
  await removeTree(part);
  await mkdir(part, { recursive: true });
  const names = await readdir(from);
  const isJavascript = setup.language === 'javascript';
  const scratch = isJavascript ? SCRATCH : [];
  const generated = isJavascript ? names.filter((name) => GENERATED.includes(name)) : [];
  const shared = names.filter((name) => !scratch.includes(name) && !generated.includes(name));
  // A command can rename the folder around a read-only one, and then nobody knows it as that; not so in the root.
  const isInRoot = dirname(folder) === '.';
  const method = await bestMethod(from, part, mayHardLink && isInRoot);
  const scanned = scanTree(from, [...shared, ...generated]);
  scanned.catch(() => undefined);
  const used = await copyOrFallBack(from, part, shared, method, outside);
  const scan = await scanned;
  await copyTree(from, part, generated, used === 'reflink' ? 'reflink' : 'copy', outside);
  const made = used === 'hard-link' ? scratch : [];
  for (const name of made) await mkdir(join(part, name));
  const outsideLinks = await mendLinks(wish, folder, part, scan);
  for (const path of scan.others) await rm(join(part, path), { force: true });
  if (setup.language === 'python') await relocateVenv(part, checkout, wish.seenAs ?? worktree);
  return { folder, method: used, scan, outsideLinks, own: [...made, ...generated] };
}

/** One file that cannot be linked (somebody else's, or with too many names already) makes the whole a copy. */
async function copyOrFallBack(
  from: string,
  part: string,
  names: readonly string[],
  method: CopyMethod,
  outside: OutsideCommands,
): Promise<CopyMethod> {
  if (method === 'copy') {
    await copyTree(from, part, names, 'copy', outside);
    return 'copy';
  }
  try {
    await copyTree(from, part, names, method, outside);
    return method;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    await removeTree(part);
    await copyTree(from, part, names, 'copy', outside);
    return 'copy';
  }
}

async function mendLinks(wish: BringInWish, folder: string, part: string, { links }: TreeScan): Promise<string[]> {
  const outside: string[] = [];
  for (const { path, target } of links) {
    const fate = fateOf(join(folder, path), target, wish.checkout);
    if (fate.is === 'kept') continue;
    // An environment's interpreter is a link to the machine's.
    const isInterpreter = wish.setup.language === 'python';
    if (fate.is === 'outside') outside.push(`${join(folder, path)} -> ${target}`);
    if (fate.is === 'outside' && isInterpreter) continue;
    await rm(join(part, path), { force: true });
    if (fate.is === 'turned') await symlink(fate.target, join(part, path));
  }
  return outside;
}

/** What npm's record names has to be there: somebody may have deleted it. */
async function missingPackage({ setup, checkout }: BringInWish, parts: readonly Part[]): Promise<string | null> {
  if (setup.tool !== 'npm') return null;
  const record = await readPlainFile(join(checkout, setup.folder, '.package-lock.json'));
  const there = new Set(parts.flatMap(({ folder, scan }) => [...scan.folders].map((path) => `${folder}/${path}`)));
  const missing = [...(packagesOf(record ?? '')?.keys() ?? [])].find((path) => !there.has(path));
  return missing === undefined ? null : `node_modules lacks ${missing}`;
}

async function putInPlace(worktree: string, folder: string): Promise<void> {
  await removeTree(join(worktree, folder));
  await rename(partOf(join(worktree, folder)), join(worktree, folder));
}

function summary({ worktree }: BringInWish, parts: readonly Part[]): BroughtIn {
  const linked = parts.filter(({ method }) => method === 'hard-link');
  const methods = (['hard-link', 'copy', 'reflink'] as const).find((one) => parts.some(({ method }) => method === one));
  return {
    folders: parts.map(({ folder }) => folder),
    method: methods ?? 'copy',
    files: parts.reduce((sum, { scan }) => sum + scan.files, 0),
    readOnly: linked.map(({ folder }) => join(worktree, folder)),
    writable: linked.flatMap(({ folder, own }) => own.map((name) => join(worktree, folder, name))),
    outsideLinks: parts.flatMap(({ outsideLinks }) => outsideLinks).slice(0, MOST_LINKS),
  };
}
