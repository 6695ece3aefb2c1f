import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { errandContextOf, errandPatchOf } from './context.js';
import { attempts } from './machine.js';

type Known = Pick<ActivityContext, 'context' | 'counters'>;

/** Every checkpoint carries them. */
const MOST_REVISIONS = 5;

const countAttempts = ({ counters }: Known): number => counters[attempts.name] ?? 0;

/** Heals since the first attempt, or since the last revision that a person asked for. */
export const healsOf = (known: Known): number =>
  Math.max(0, countAttempts(known) - (errandContextOf(known).revision?.healsBefore ?? 0));

/** How often the work may be sent back in all, as the machine counts it. */
export const mostAttempts = (known: Pick<Known, 'context'>): number => errandContextOf(known).attempts ?? attempts.max;

/** Whether a person is asked if this attempt is not proven. */
export const isLastAttempt = (known: Known): boolean => countAttempts(known) >= mostAttempts(known);

/**
 * What a revision that a person has just asked for changes in the context; empty without one. The ladder begins anew:
 * the counter belongs to the machine, so its bound is raised by the heals before. The decision goes, so that a later
 * visit is not taken for this revision again.
 */
export function beginRevision(known: Known): JsonObject {
  const { decision, revision } = errandContextOf(known);
  if (decision?.decision !== 'revise') return {};
  const healsBefore = countAttempts(known);
  const { feedback = '' } = decision;
  const said = [...(revision?.said ?? []), ...(feedback === '' ? [] : [feedback])].slice(-MOST_REVISIONS);
  return errandPatchOf({
    revision: { said, healsBefore },
    decision: null,
    attempts: mostAttempts(known) + healsBefore - (revision?.healsBefore ?? 0),
  });
}
