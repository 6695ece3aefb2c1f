import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';

/** The same visit, as it is with what this visit is about to report. */
export const knowing = (activity: ActivityContext, patch: JsonObject): ActivityContext =>
  // Not a copy: what an activity is interrupted by, and its newest checkpoint, have to be read when they are wanted.
  Object.create(activity, {
    context: { value: { ...activity.context, ...patch }, enumerable: true },
  }) as ActivityContext;
