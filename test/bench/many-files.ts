import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = 200;
const FILES_PER_FOLDER = 100;
export const MANY_FILES = FOLDERS * FILES_PER_FOLDER;

export type GitCommand = (...args: string[]) => string;

export const gitIn =
  (cwd: string): GitCommand =>
  (...args) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

/** A repository of 20,000 files of 20 lines each, and the given ones, in one packed commit. */
export function makeManyFiles(
  repo: string,
  textOf: (folder: number, file: number) => { readonly name: string; readonly text: string },
  more: Readonly<Record<string, string>> = {},
): void {
  mkdirSync(repo);
  const git = gitIn(repo);
  git('init', '-q', '-b', 'main');
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(repo, `folder-${String(folder)}`));
    for (let file = 0; file < FILES_PER_FOLDER; file += 1) {
      const { name, text } = textOf(folder, file);
      writeFileSync(join(repo, `folder-${String(folder)}`, name), text);
    }
  }
  for (const [path, text] of Object.entries(more)) writeFileSync(join(repo, path), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'files');
  git('repack', '-q', '-a', '-d');
}
