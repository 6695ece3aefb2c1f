import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HARMLESS_SETTINGS } from '../harmless-settings.js';
import { isPlain, isWithin, realPathOf } from './sandbox-paths.js';

/** What of a repository can be seen inside, each under its own path and read-only. */
export interface VisibleGit {
  /** The worktree's `.git`, which nobody inside may change. */
  readonly link: string;
  readonly paths: readonly string[];
  /** Its place is taken by a harmless one: remotes, helpers and headers may carry keys. */
  readonly config: { readonly path: string; readonly text: string };
  /** Folders of the main repository that installers of hooks write to: each command has its own, which end with it. */
  readonly throwAway: readonly string[];
}

const OF_WORKTREE: readonly string[] = ['HEAD', 'index', 'commondir', 'gitdir'];
const OF_REPOSITORY: readonly string[] = ['HEAD', 'objects', 'refs', 'packed-refs', 'shallow', 'reftable'];
const THROW_AWAY: readonly string[] = ['hooks', 'info'];

/** Git heeds extensions only where the version says that there are some. */
const isShown = (key: string): boolean => HARMLESS_SETTINGS.has(key) || key === 'core.repositoryformatversion';

/**
 * What lets git read the history of a worktree; null where `folder` is none, or not one that can be trusted: the main
 * repository must point back at it, lie outside of what commands can write, and be made of plain files and folders.
 */
export function visibleGitOf(folder: string, writable: readonly string[]): VisibleGit | null {
  const link = join(folder, '.git');
  const gitDir = isPlain(link, 'file') ? /^gitdir: (\/.+)\n?$/.exec(contentOf(link))?.[1] : undefined;
  if (gitDir === undefined || realPathOf(gitDir) !== gitDir) return null;
  const common = resolve(gitDir, contentOf(join(gitDir, 'commondir')).trimEnd());
  const isTrusted =
    realPathOf(common) === common &&
    isWithin(gitDir, join(common, 'worktrees')) &&
    realPathOf(contentOf(join(gitDir, 'gitdir')).trimEnd()) === realPathOf(link) &&
    !writable.some((one) => isWithin(gitDir, one) || isWithin(common, one));
  if (!isTrusted) return null;
  const paths = [...OF_WORKTREE.map((name) => join(gitDir, name)), ...OF_REPOSITORY.map((name) => join(common, name))];
  const config = join(common, 'config');
  return {
    link,
    paths: paths.filter((path) => isPlain(path, 'file') || isPlain(path, 'folder')),
    config: { path: config, text: harmless(contentOf(config)) },
    throwAway: THROW_AWAY.map((name) => join(common, name)),
  };
}

/** A repository that lies in a writable folder itself, keys and hooks and all: nothing of it is shown. */
export const ownRepositoryOf = (folder: string): string[] =>
  isPlain(join(folder, '.git'), 'folder') ? [join(folder, '.git')] : [];

/** The harmless settings of a configuration, one per line. Read without git: it is shown anew to every command. */
export function harmless(config: string): string {
  const lines: string[] = [];
  let section = '';
  for (const line of config.split('\n')) {
    const head = /^\s*\[\s*([A-Za-z]+)\s*\]\s*$/.exec(line)?.[1];
    if (head !== undefined) section = head.toLowerCase();
    else if (/^\s*\[/.test(line)) section = '';
    const [, name = '', value = ''] = /^\s*([A-Za-z]+)\s*=\s*([A-Za-z0-9]{1,20})\s*$/.exec(line) ?? [];
    if (isShown(`${section}.${name.toLowerCase()}`)) lines.push(`[${section}]\n\t${name} = ${value}\n`);
  }
  return lines.join('');
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
