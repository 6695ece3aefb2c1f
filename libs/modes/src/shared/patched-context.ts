import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';

/** The same visit with a context that already has what this visit is about to report. */
export const withPatchedContext = (activity: ActivityContext, patch: JsonObject): ActivityContext =>
  // Not a copy: interruptions and the newest checkpoint are read from the visit itself when they are needed.
  Object.create(activity, {
    context: { value: { ...activity.context, ...patch }, enumerable: true },
  }) as ActivityContext;
