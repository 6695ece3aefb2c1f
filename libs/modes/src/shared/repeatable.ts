import type { ActivityContext, EffectRun } from '#engine';
import type { Json } from '#kernel';

/** An effect that does no harm when it is done again. What it comes to is our own, and holds nothing but JSON. */
export async function repeatable<T>(
  activity: Pick<ActivityContext, 'effect'>,
  step: string,
  run: (run: EffectRun) => Promise<T>,
): Promise<T> {
  const kept = await activity.effect<Json>({
    step,
    settle: { kind: 'repeat' },
    run: async (effect) => (await run(effect)) ?? null,
  });
  return kept as T;
}
