import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { hasRedis, startRedis, type TestRedis } from '#testing';
import { queueConformance, spawnHangingConsumer } from '#testing';
import { type JobHandler, openWorkQueue, openWorkQueueOf, type WorkQueueOptions } from './index.js';

const optionsFor = (redis: TestRedis): WorkQueueOptions => ({
  databaseUrl: '',
  redisUrl: redis.url,
  log: () => undefined,
  concurrency: 4,
});
const soon = { timeout: 20_000, interval: 10 };

describe.runIf(hasRedis())('with redis-server', () => {
  queueConformance('Redis', async () => {
    const redis = await startRedis();
    return {
      open: (catalogue, options) => openWorkQueueOf(catalogue, { ...optionsFor(redis), ...options }),
      forge: async (queueName, jobName, data) => {
        const queue = new Queue(queueName, { prefix: 'qralph', connection: { port: redis.port } });
        await queue.add(jobName, data);
        await queue.close();
      },
      goAway: () => redis.kill(),
      comeBack: () => redis.restart(),
      spawnHangingConsumer: (queueName) => spawnHangingConsumer(optionsFor(redis), queueName),
      release: () => redis.stop(),
    };
  });

  describe('Redis as a backend of the queue', () => {
    let redis: TestRedis;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());

    const recording = (): { seen: Set<string>; handlers: JobHandler[] } => {
      const seen = new Set<string>();
      return { seen, handlers: [{ job: 'project.wake', handle: async ({ projectId }) => void seen.add(projectId) }] };
    };

    it('is refused while it evicts keys, and told how to stop that', async () => {
      const evicting = await startRedis({ maxmemoryPolicy: 'allkeys-lru' });
      try {
        await expect(openWorkQueue(optionsFor(evicting))).rejects.toMatchObject({
          code: 'REDIS_EVICTS',
          details: { policy: 'allkeys-lru' },
          message: expect.stringContaining('CONFIG SET maxmemory-policy noeviction') as string,
        });
      } finally {
        await evicting.stop();
      }
    });

    it('is reported as away when nothing listens there', async () => {
      const gone = await startRedis();
      await gone.stop();
      await expect(openWorkQueue(optionsFor(gone))).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
    });

    it('loses what waits when it is flushed, and carries on with what comes after', async () => {
      const queue = await openWorkQueue({ ...optionsFor(redis), name: `q-${newId()}` });
      const [lost, kept] = [newId(), newId()];
      const { seen, handlers } = recording();
      await queue.add('project.wake', [{ projectId: lost }]);
      await redis.flush();
      await queue.start(handlers);
      await redis.flush();
      await queue.add('project.wake', [{ projectId: kept }]);
      await expect.poll(() => [...seen], soon).toEqual([kept]);
      await queue.close(1_000);
    });

    it('may hold a job that is not even JSON: refused, and the next one runs', async () => {
      const name = `q-${newId()}`;
      const queue = await openWorkQueue({ ...optionsFor(redis), name, concurrency: 1 });
      const [broken, whole] = [newId(), newId()];
      await queue.add('project.wake', [{ projectId: broken }]);
      const client = new Redis(redis.url);
      const [key] = (await client.keys(`qralph:${name}:*-*`)).filter((found) => !found.endsWith(':meta'));
      await client.hset(key!, 'data', '{"projectId":');
      client.disconnect();
      await queue.add('project.wake', [{ projectId: whole }]);
      expect((await queue.depth()).waiting).toBe(2);
      const { seen, handlers } = recording();
      await queue.start(handlers);
      await expect.poll(() => [...seen], soon).toEqual([whole]);
      expect(queue.rejected()).toBe(1);
      await queue.close(1_000);
    });
  });
});
