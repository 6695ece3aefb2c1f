import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { errorMessage, UserError } from '#kernel';
import { answerWithin } from './deadline.js';
import type { QueueBackend } from './queue-backend.js';
import type { QueueLog } from './work-queue.port.js';

const OPEN_MS = 5_000;
const COMMAND_MS = 3_000;
const KEY_PREFIX = 'qralph';

const reconnecting = {
  lazyConnect: true,
  connectTimeout: COMMAND_MS,
  retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
} satisfies RedisOptions;
/** Who adds a job wants to know at once that Redis is away. */
const impatient = {
  ...reconnecting,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: COMMAND_MS,
} satisfies RedisOptions;
/** Who consumes waits until Redis is back. */
const patient = { ...reconnecting, maxRetriesPerRequest: null } satisfies RedisOptions;

export async function openRedisBackend(redisUrl: string, log: QueueLog): Promise<QueueBackend> {
  const producer = listening(new Redis(redisUrl, impatient), log);
  const consumer = listening(new Redis(redisUrl, patient), log);
  const close = (): Promise<void> => {
    producer.disconnect();
    consumer.disconnect();
    return Promise.resolve();
  };
  try {
    await answerWithin(OPEN_MS, 'connecting to Redis', Promise.all([ready(producer), ready(consumer)]));
    await refuseEviction(producer);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'redis',
    factory: (name, options, kind = {}) =>
      createRedisBackend(
        name,
        { ...options, ...{ prefix: KEY_PREFIX }, connection: kind.withBlockingConnection ? consumer : producer },
        kind,
      ),
    ping: async () => {
      await producer.ping();
    },
    close,
  };
}

function listening(client: Redis, log: QueueLog): Redis {
  return client.on('error', (error: Error) =>
    log('warn', 'a connection of the queue broke', { error: errorMessage(error) }),
  );
}

/** The first attempt may fail: the client goes on by itself until it is told to stop. */
function ready(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', resolve);
    client.connect().catch(() => undefined);
  });
}

/** A Redis that throws keys away when it is full leaves half a job behind, which no reconciler can tell. */
async function refuseEviction(client: Redis): Promise<void> {
  const info = await answerWithin(COMMAND_MS, 'asking Redis for its eviction policy', client.info('memory'));
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return;
  throw new UserError(
    'REDIS_EVICTS',
    `Redis has the maxmemory-policy "${policy}" and would throw away queued jobs when it is full. ` +
      'Run `redis-cli CONFIG SET maxmemory-policy noeviction`, and set it in redis.conf so that it stays.',
    { policy },
  );
}
