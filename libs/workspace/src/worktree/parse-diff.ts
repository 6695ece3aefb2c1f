import { WorldError } from '#kernel';
import type { DiffFile } from './worktree.port.js';

type Status = DiffFile['status'];

const STATUSES: Readonly<Record<string, Status>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' };

/** Reads `git diff --raw --numstat -z`: first how each file changed, then by how many lines. */
export function parseNumbers(said: string): readonly DiffFile[] {
  const fields = said.split('\0');
  let at = 0;
  const next = (): string => {
    const field = fields[at];
    if (field === undefined) throw new WorldError('GIT_FAILED', 'git diff ended in the middle of a line');
    at += 1;
    return field;
  };
  const changes = new Map<string, { status: Status; from: string | null }>();
  while (fields[at]?.startsWith(':') === true) {
    const letter = next().split(' ').at(-1)?.[0] ?? '';
    const first = next();
    const moved = letter === 'R' || letter === 'C';
    const status = STATUSES[letter] ?? 'changed';
    changes.set(moved ? next() : first, { status, from: letter === 'R' ? first : null });
  }
  const files: DiffFile[] = [];
  while (at < fields.length && fields[at] !== '') {
    const [, insertions = '', deletions = '', name = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(next()) ?? [];
    let path = name;
    if (path === '') {
      next();
      path = next();
    }
    const { status, from } = changes.get(path) ?? { status: 'changed', from: null };
    files.push({ path, status, from, insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 });
  }
  return files;
}
