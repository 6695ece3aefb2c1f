import { startRedis } from '#testing';
import { type Lab, openLab } from './lab.js';

export type QueueKind = 'Postgres' | 'Redis';

/** Works in a lab whose queue is where it is wanted, and clears everything away whatever happens. */
export async function inLab<T>(queue: QueueKind, work: (lab: Lab, redisUrl: string | null) => Promise<T>): Promise<T> {
  const redis = queue === 'Redis' ? await startRedis() : null;
  try {
    const lab = await openLab(redis ? { redisUrl: redis.url } : {});
    try {
      return await work(lab, redis?.url ?? null);
    } finally {
      await lab.close();
    }
  } finally {
    await redis?.stop();
  }
}
