import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import { type Inspected, inspect } from './inspect.js';
import type { Inspection } from './proof-record.js';
import type { CheckFacts } from './run-checks.js';

interface Wish {
  readonly commit: string;
  readonly checks: readonly CheckFacts[];
  /** What an agent has said already. */
  readonly inspection: Inspection | null;
}

/** A check that the sources do not decide is too little: an agent reads its part, unless one has done so. */
export async function confirmParts(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, checks, inspection }: Wish,
): Promise<Inspected> {
  const beside = checks.filter(({ isBesideSources = false }) => isBesideSources).map(({ check }) => check.part);
  const unread = [...new Set(beside)].filter(
    (number) => inspection?.parts.some(({ part }) => part === number) !== true,
  );
  if (unread.length === 0) return { kind: 'done', inspection, patch: {} };
  const wish = { from: worktree.baseCommit, commit, parts: unread, findings: [], tests: [], step: 'confirm-parts' };
  const confirmed = await inspect(parts, activity, worktree, wish);
  if (confirmed.kind === 'stopped' || !inspection) return confirmed;
  if (!confirmed.inspection) return { ...confirmed, inspection };
  const all = { ...inspection, parts: [...inspection.parts, ...confirmed.inspection.parts] };
  return { ...confirmed, inspection: all };
}
