import type { Pending } from '#workspace';
import type { ToldEvent } from '../history.js';
import { oneLine } from './page-parts.js';
import { sessionRows } from './session-log.js';
import { STATUS_UNKNOWN, type UnknownItem, type Unseen } from './unknown-items.js';

/** Sections of STATE.md that do not depend on what a checkpoint says. */

const MOST_FILES = 50;
const MOST_ROWS = 50;

export function uncommittedLines(pending: Pending | Unseen | null): string[] {
  if (pending === null) return ['None: there is no worktree.'];
  if ('reason' in pending) return [`${STATUS_UNKNOWN}: ${oneLine(pending.reason)}`];
  const { files, isCut } = pending;
  if (files.length === 0) return ['None.'];
  const more = files.length - MOST_FILES;
  return [
    ...files.slice(0, MOST_FILES).map(({ path, status }) => `- ${status} ${oneLine(path, 200)}`),
    ...(more > 0 || isCut ? [`- and ${isCut ? 'many' : String(more)} more`] : []),
  ];
}

export const unknownLines = (items: readonly UnknownItem[]): string[] =>
  items.slice(0, MOST_ROWS).map(({ what, then }) => `- ${STATUS_UNKNOWN}: ${oneLine(what)}. Then: ${oneLine(then)}.`);

export function logLines(told: readonly ToldEvent[]): string[] {
  const rows = sessionRows(told).map(
    ({ at, state, because }) => `| ${at.toISOString()} | ${oneLine(state, 200)} | ${oneLine(because, 200)} |`,
  );
  return ['| time | state | because |', '| --- | --- | --- |', ...rows.slice(-MOST_ROWS)];
}
