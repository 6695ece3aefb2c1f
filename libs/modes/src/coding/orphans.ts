import type { ActivityContext, Report } from '#engine';
import { tooManyOrphans } from '#self-heal';
import { repeatable } from '../shared/repeatable.js';
import { askPerson } from './ask-person.js';
import { codingOrderOf, type CodingParts } from './coding-context.js';
import { contextOf } from './context.js';

/** Processes that outlived what they were started for; `unseen` are those that no person has been asked about. */
export async function orphansOf(
  { processes }: CodingParts,
  activity: ActivityContext,
): Promise<{ readonly all: number; readonly unseen: number }> {
  const now = await processes.orphansOf(activity.project.id);
  // That there are none is nothing to be remembered.
  if (now === 0) return { all: 0, unseen: 0 };
  const all = await repeatable(activity, 'orphans', () => Promise.resolve(now));
  const seen = contextOf(activity).orphansSeen ?? 0;
  // A worker that has just begun counts from nothing.
  return { all, unseen: all < seen ? all : all - seen };
}

/** A project that leaves many of them is stopped before it starts more. */
export async function stoppedByOrphans(parts: CodingParts, activity: ActivityContext): Promise<Report | null> {
  const { all, unseen } = await orphansOf(parts, activity);
  const breaker = tooManyOrphans(unseen, codingOrderOf(activity).breakers);
  if (breaker === null) return null;
  const message = `The project stopped, because ${breaker.message}.`;
  return askPerson(activity, { cause: `breaker-${breaker.name}`, message }, { orphansSeen: all });
}
