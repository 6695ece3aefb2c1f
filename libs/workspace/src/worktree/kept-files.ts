import { readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { errorCode } from '#kernel';
import { isReachedPlainly, kindOf } from '../setup/plain-file.js';
import type { Checkout } from './checkout.js';

/**
 * Files that were only brought along: no snapshot and no commit holds them, and no reset takes them away. The list lies
 * outside of the repository, and is asked beside git's own ignores: a tree's `.gitignore` can overrule those.
 */
export async function keptFiles({ keptList }: Pick<Checkout, 'keptList'>): Promise<readonly string[]> {
  try {
    return JSON.parse(await readFile(keptList, 'utf8')) as string[];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Those of them that are there, in whatever form; none that lies behind a link, for that may lead anywhere. */
export async function keptFilesIn(checkout: Pick<Checkout, 'keptList' | 'folder'>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await keptFiles(checkout)) {
    const isThere = (await kindOf(join(checkout.folder, path))) !== null;
    if (isThere && (await isReachedPlainly(checkout.folder, path))) found.push(path);
  }
  return found;
}

/** Those that are there already stay. */
export async function addKeptFiles(checkout: Pick<Checkout, 'keptList'>, paths: readonly string[]): Promise<void> {
  const all = [...new Set([...(await keptFiles(checkout)), ...paths.map((path) => posix.normalize(path))])];
  const file = checkout.keptList;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, JSON.stringify(all), { flag: 'wx', flush: true });
  await rename(`${file}.new`, file);
}

/** Of paths as git says them, byte by byte: those that are kept files, or lie where one was. */
export function isKept(kept: readonly string[]): (path: string) => boolean {
  const names = kept.map((path) => Buffer.from(path, 'utf8').toString('latin1'));
  return (path) => names.some((name) => path === name || path.startsWith(`${name}/`));
}

/** As a pattern of `.gitignore` that means this very path. */
export const patternOf = (path: string): string => `/${path.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}`;
