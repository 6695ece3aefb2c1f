import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Database, openPool } from '#persistence';
import { startModelServer } from '#testing';
import { withServer } from './bench-database.js';
import { atLeast, atMost, type Bench, beside, type Figure } from './figure.js';
import { heldProject } from './held-project.js';
import type { ProxyAddress, ProxyEnd, ProxyOrder } from './proxy.thread.js';
import { median, percentile } from './stats.js';

const PARALLEL = 32;
const BLOCKS = 4;
const CALLS_PER_BLOCK = 128;
const MODEL = 'claude-haiku-5-5';
const KEY = 'sk-the-key-of-the-bench-0123456789';
/** As long as what CLIs send with each of their calls. */
const PROMPT_BYTES = 100_000;
/** A quick answer: models take seconds for most of theirs. */
const THINKS_MS = 100;
const PIECE_EVERY_MS = 50;
const PIECES = 6;
/** About what a call takes from its beginning to its end. */
const CALL_MS = 650;

interface Timing {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * What the proxy adds to the first byte of streaming calls, beside the same calls sent to the provider itself. Nothing
 * is sent before it is reserved: the ledger is the real one, on a database that waits for its disk.
 */
export const proxy: Bench = {
  name: 'proxy',
  run: () =>
    withServer(async (newDatabase) => {
      const databaseUrl = await newDatabase();
      const projectId = await inPool(databaseUrl, heldProject);
      const server = await startModelServer(() => ({
        text: 'x'.repeat(600),
        pieces: PIECES,
        afterMs: THINKS_MS,
        everyMs: PIECE_EVERY_MS,
      }));
      const order: ProxyOrder = { upstreamUrl: server.url, apiKey: KEY, model: MODEL, databaseUrl, projectId };
      const thread = new Worker(new URL('./proxy.thread.js', import.meta.url), { workerData: order });
      const ended = once(thread, 'exit');
      try {
        const [{ url, tokens }] = (await once(thread, 'message')) as [ProxyAddress];
        const figures = await measure(`${server.url}/v1/messages`, `${url}/v1/messages`, tokens);
        await refuseUnsettled(databaseUrl);
        thread.postMessage('close');
        const [{ reservedInMs }] = (await once(thread, 'message')) as [ProxyEnd];
        return [...figures, ofTheLedger(reservedInMs.slice(CALLS_PER_BLOCK))];
      } finally {
        thread.postMessage('close');
        await ended;
        await server.stop();
      }
    }),
};

function ofTheLedger(ms: readonly number[]): Figure {
  const note = 'what of the added is the ledger’s: a call is not sent before its maximum is set aside';
  return beside({ name: 'proxy.reservation.p50', value: median(ms), unit: 'ms', note });
}

async function inPool<T>(url: string, use: (pool: Database) => Promise<T>): Promise<T> {
  const pool = openPool({ url, max: 1, name: 'bench', onError: () => undefined });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** A proxy that forgot its calls would be a quick one. */
async function refuseUnsettled(url: string): Promise<void> {
  const wanted = (BLOCKS + 1) * CALLS_PER_BLOCK;
  for (const until = performance.now() + 10_000; ; await delay(50)) {
    const { rows } = await inPool(url, (pool) =>
      pool.query<{ calls: number }>(`SELECT count(*)::int AS calls FROM model_call WHERE status = 'done'`),
    );
    const calls = rows[0]?.calls ?? 0;
    if (calls === wanted) return;
    if (performance.now() > until) throw new Error(`${String(calls)} of ${String(wanted)} calls were settled`);
  }
}

/** Blocks of both take turns, so that neither has the quieter machine. The first of each warms up. */
async function measure(direct: string, proxied: string, tokens: readonly string[]): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const [straight, through]: [Timing[], Timing[]] = [[], []];
  for (let block = 0; block <= BLOCKS; block += 1) {
    const one = await callsInParallel(direct, [KEY], agent);
    const other = await callsInParallel(proxied, tokens, agent);
    if (block === 0) continue;
    straight.push(...one);
    through.push(...other);
  }
  agent.destroy();
  const first = (timings: readonly Timing[], share: number): number =>
    percentile(timings.map(({ firstMs }) => firstMs), share); // prettier-ignore
  const length = ({ firstMs, lastMs }: Timing): number => lastMs - firstMs;
  const unit = 'ms';
  const note = `${String(PARALLEL)} parallel calls of ${String(PROMPT_BYTES)} bytes on one budget; baseline: direct`;
  const added = first(through, 0.5) - first(straight, 0.5);
  return [
    atMost({ name: 'proxy.added-to-first-byte', value: added, unit, note: `p50 at ${note}` }, 'value', 5),
    beside({ name: 'proxy.first-byte.p50', value: first(through, 0.5), unit, baseline: first(straight, 0.5), note }),
    beside({ name: 'proxy.first-byte.p95', value: first(through, 0.95), unit, baseline: first(straight, 0.95), note }),
    atLeast(
      {
        name: 'proxy.streams',
        value: median(through.map(length)),
        unit,
        baseline: median(straight.map(length)),
        note: 'from the first byte out to the last; a proxy that waited for the last one would have none',
      },
      'ratio',
      0.8,
    ),
  ];
}

/**
 * So many callers at once, each of which calls again as soon as it was answered. They begin one after the other: calls
 * that all begin in the same moment would wait for each other, not for the proxy.
 */
async function callsInParallel(url: string, keys: readonly string[], agent: Agent): Promise<Timing[]> {
  const timings: Timing[] = [];
  let left = CALLS_PER_BLOCK;
  const caller = async (_: unknown, nth: number): Promise<void> => {
    await delay((nth * CALL_MS) / PARALLEL);
    while (left > 0) {
      left -= 1;
      timings.push(await timed(url, keys[nth % keys.length] ?? '', agent));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, caller));
  return timings;
}

const BODY = JSON.stringify({
  model: MODEL,
  max_tokens: 1_000,
  stream: true,
  system: 's'.repeat(PROMPT_BYTES),
  messages: [{ role: 'user', content: 'hello' }],
});

function timed(url: string, key: string, agent: Agent): Promise<Timing> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': BODY.length };
    const call = request(url, { method: 'POST', headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${String(answer.statusCode)}`));
      let firstMs: number | null = null;
      answer.on('data', () => (firstMs ??= performance.now() - since));
      answer.once('end', () => resolve({ firstMs: firstMs ?? Number.NaN, lastMs: performance.now() - since }));
    });
    call.once('error', reject).end(BODY);
  });
}
