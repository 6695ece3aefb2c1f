import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Database, insertEndpoint, openPool, PgDeliveries } from '#persistence';
import { newId } from '#kernel';
import { AddressGuard, DeliveryLoop, newSecret, SecretBox, signedHeaders } from '#webhooks';
import { withServer } from './bench-database.js';
import { atLeast, atMost, type Bench, beside, type Figure } from './figure.js';
import { median, percentile } from './stats.js';
import type { ReceiverQuestion, Taken } from './webhook-receiver.thread.js';

const MESSAGES = 3_000;
const ROUNDS = 3;
const ENDPOINTS = 8;
/** As many as the loop has under way. */
const PARALLEL = 64;
const TRICKLED = 200;
const TRICKLE_MS = 25;
const SECRET = newSecret();
const TYPE = 'webhook.test';

/**
 * How many messages a second one process claims, signs, sends and writes down, beside posts that are only signed and
 * sent, by Node's own fetch on connections that it keeps; and how long after a change its message is there.
 */
export const webhooks: Bench = {
  name: 'webhooks',
  run: () =>
    withServer(async (newDatabase) => {
      const pool = openPool({ url: await newDatabase(), max: 8, name: 'bench', onError: () => undefined });
      const receiver = await Receiver.open();
      try {
        await addEndpoints(pool, receiver.url);
        return [...(await inTurns(pool, receiver)), ...(await lagOf(pool, receiver))];
      } finally {
        await receiver.close();
        await pool.end();
      }
    }),
};

/** The other side. */
class Receiver {
  private constructor(
    private readonly thread: Worker,
    readonly url: string,
  ) {}

  static async open(): Promise<Receiver> {
    const thread = new Worker(new URL('webhook-receiver.thread.js', import.meta.url));
    const [port] = (await once(thread, 'message')) as [number];
    return new Receiver(thread, `http://127.0.0.1:${String(port)}/`);
  }

  /** Waits until so many more have arrived; how late each was. */
  async taken(count: number): Promise<number[]> {
    const lagsMs: number[] = [];
    while (lagsMs.length < count) {
      lagsMs.push(...(await this.ask()).lagsMs);
      if (lagsMs.length < count) await delay(5);
    }
    return lagsMs;
  }

  async close(): Promise<void> {
    const ended = once(this.thread, 'exit');
    this.thread.postMessage('end' satisfies ReceiverQuestion);
    await ended;
  }

  private async ask(): Promise<Taken> {
    this.thread.postMessage('taken' satisfies ReceiverQuestion);
    const [taken] = (await once(this.thread, 'message')) as [Taken];
    return taken;
  }
}

async function addEndpoints(pool: Database, url: string): Promise<void> {
  for (let nth = 0; nth < ENDPOINTS; nth += 1) {
    const seed = { id: newId(), projectId: null, url, types: [], description: null, secret: SECRET };
    await insertEndpoint(pool, seed);
  }
}

/** So many messages, evenly to all endpoints. */
const tell = (pool: Database, count: number) =>
  pool.query(
    `INSERT INTO webhook_delivery (endpoint_id, type, details)
     SELECT e.id, $1, '{"text":"' || repeat('x', 300) || '"}'
     FROM generate_series(1, $2::int) n JOIN (SELECT id, row_number() OVER () AS nth FROM webhook_endpoint) e
       ON e.nth = 1 + n % $3::int`,
    [TYPE, count, ENDPOINTS],
  );

function openLoop(pool: Database): DeliveryLoop {
  const loop = new DeliveryLoop({
    store: new PgDeliveries(pool),
    guard: new AddressGuard(['127.0.0.1'], () => Promise.reject(new Error('no name is asked for')), 1_000),
    box: new SecretBox(null),
    settings: { retriesMs: [1_000], timeoutMs: 15_000, keepDays: 30 },
    random: Math.random,
    watch: { within: (_delivery, attempt) => attempt(), settled: () => undefined, failed: say },
  });
  loop.start();
  return loop;
}

const say = (what: string, error: unknown): void => void process.stderr.write(`${what}: ${String(error)}\n`);

async function inTurns(pool: Database, receiver: Receiver): Promise<Figure[]> {
  const rates = { told: [] as number[], plain: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.plain.push(await rateOf(receiver, () => postAll(receiver.url)));
    await tell(pool, MESSAGES);
    rates.told.push(await rateOf(receiver, async () => openLoop(pool)));
  }
  const note = `${String(ENDPOINTS)} endpoints, ${String(PARALLEL)} at once; baseline: signed posts by fetch, nothing stored`;
  const measured = { name: 'webhooks.rate', value: median(rates.told), unit: 'messages/s' };
  return [atLeast({ ...measured, baseline: median(rates.plain), note }, 'ratio', 0.3)];
}

/** From the first until all have arrived; what sends them is ended after that. */
async function rateOf(receiver: Receiver, send: () => Promise<DeliveryLoop | null>): Promise<number> {
  const began = performance.now();
  const [loop] = await Promise.all([send(), receiver.taken(MESSAGES)]);
  const rate = (MESSAGES * 1_000) / (performance.now() - began);
  await loop?.stop(5_000);
  return rate;
}

async function postAll(url: string): Promise<null> {
  let left = MESSAGES;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const body = JSON.stringify({ type: TYPE, timestamp: new Date().toISOString(), data: { text: 'x'.repeat(300) } });
      const headers = { ...signedHeaders([SECRET], newId(), new Date(), body), 'content-type': 'application/json' };
      await (await fetch(url, { method: 'POST', headers, body })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, client));
  return null;
}

/** A message now and then, as projects make them: what counts is how long each waits to be looked for. */
async function lagOf(pool: Database, receiver: Receiver): Promise<Figure[]> {
  const loop = openLoop(pool);
  try {
    const arrived = receiver.taken(TRICKLED);
    for (let nth = 0; nth < TRICKLED; nth += 1) {
      await tell(pool, 1);
      await delay(TRICKLE_MS);
    }
    const lags = await arrived;
    const note = `one every ${String(TRICKLE_MS)} ms; a process looks twice a second, and at once when it has sent something`;
    return [
      beside({ name: 'webhooks.lag.p50', value: median(lags), unit: 'ms', note }),
      atMost({ name: 'webhooks.lag.p95', value: percentile(lags, 0.95), unit: 'ms', note }, 'value', 1_000),
    ];
  } finally {
    await loop.stop(5_000);
  }
}
