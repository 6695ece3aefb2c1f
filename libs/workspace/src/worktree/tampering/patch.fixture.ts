import type { DiffFile, WorktreeDiff } from '../worktree.port.js';

/** Spelled so that no check of this repository takes it for a test of its own. */
export const SKIP = 'skip';

export interface Change {
  readonly from: string | null;
  readonly to: string | null;
  readonly lines: readonly string[];
}

/** A diff as git writes it, of one hunk per file. */
export function diffOf(...changes: readonly Change[]): WorktreeDiff {
  const files = changes.map(({ from, to }): DiffFile => {
    const status = from === null ? 'added' : to === null ? 'deleted' : from === to ? 'changed' : 'renamed';
    return { path: to ?? from ?? '', status, from: status === 'renamed' ? from : null, insertions: 0, deletions: 0 };
  });
  const patch = changes.map(({ from, to, lines }) => {
    const count = (kinds: string): number => lines.filter((line) => kinds.includes(line[0] ?? '')).length;
    const head = [
      `diff --git a/${from ?? to ?? ''} b/${to ?? from ?? ''}`,
      ...(from === null ? ['new file mode 100644'] : []),
      ...(to === null ? ['deleted file mode 100644'] : []),
      ...(from !== null && to !== null && from !== to ? [`rename from ${from}`, `rename to ${to}`] : []),
    ];
    if (lines.length === 0) return head.join('\n');
    const hunk = `@@ -1,${String(count('- '))} +1,${String(count('+ '))} @@ it('in the heading', () => {`;
    return [
      ...head,
      `--- ${from === null ? '/dev/null' : `a/${from}`}`,
      `+++ ${to === null ? '/dev/null' : `b/${to}`}`,
      hunk,
      ...lines,
    ].join('\n');
  });
  return { files, patch: `${patch.join('\n')}\n`, isCut: false };
}

export const changed = (path: string, ...lines: readonly string[]): Change => ({ from: path, to: path, lines });
