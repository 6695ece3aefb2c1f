import type { ActivityContext } from '#engine';

/** The same visit, whose effects have names of their own: one that has ended is read back where its name comes again. */
export const namedApart = (activity: ActivityContext, prefix: string): ActivityContext => {
  const effect: ActivityContext['effect'] = (one) => activity.effect({ ...one, step: `${prefix}/${one.step}` });
  return Object.create(activity, { effect: { value: effect, enumerable: true } }) as ActivityContext;
};
