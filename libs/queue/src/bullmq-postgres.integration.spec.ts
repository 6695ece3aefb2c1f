import { createPostgresBackend, Queue } from 'bullmq';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { freshDatabase } from '#testing';
import { queueConformance, spawnHangingConsumer } from '#testing';
import { openWorkQueue, openWorkQueueOf, type WorkQueueOptions } from './index.js';

const optionsFor = (databaseUrl: string): WorkQueueOptions => ({
  databaseUrl,
  redisUrl: null,
  log: () => undefined,
  concurrency: 4,
});

queueConformance('Postgres', async () => {
  const database = await freshDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: new URL('/postgres', database.url).href });
  await admin.connect();
  return {
    open: (catalogue, options) => openWorkQueueOf(catalogue, { ...optionsFor(database.url), ...options }),
    forge: async (queueName, jobName, data) => {
      const connection = { connectionString: database.url, schema: 'bullmq' };
      const queue = new Queue(queueName, { connection }, createPostgresBackend);
      await queue.add(jobName, data);
      await queue.close();
    },
    // The server stays up for other tests; to this database it behaves as one that was stopped.
    goAway: async () => {
      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    },
    comeBack: async () => {
      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    },
    spawnHangingConsumer: (queueName) => spawnHangingConsumer(optionsFor(database.url), queueName),
    release: async () => {
      await admin.end();
      await database.drop();
    },
  };
});

describe('Postgres as a backend of the queue', () => {
  it('is prepared once when several processes open the queue at the same time', async () => {
    const database = await freshDatabase();
    const queues = await Promise.all([1, 2, 3].map(() => openWorkQueue(optionsFor(database.url))));
    const [first, second] = queues;
    const projectId = newId();
    const woken: string[] = [];
    await first!.start([{ job: 'project.wake', handle: async (payload) => void woken.push(payload.projectId) }]);
    await second!.add('project.wake', [{ projectId }]);
    await expect.poll(() => woken, { timeout: 20_000, interval: 10 }).toEqual([projectId]);
    await Promise.all(queues.map((queue) => queue.close(1_000)));
    await database.drop();
  });

  it('is reported as away when nothing listens there', async () => {
    const nowhere = optionsFor('postgres://nobody@127.0.0.1:1/nothing');
    await expect(openWorkQueue(nowhere)).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
  });
});
