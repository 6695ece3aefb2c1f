import { Agent, request } from 'node:http';
import { openProxy } from '#agents';
import { newId, SecretBook, silentTrace, systemClock } from '#kernel';
import { type Ledger, Meter, worstPriceOf } from '#models';
import { startModelServer } from '#testing';
import { atLeast, atMost, type Bench, beside, type Figure } from './figure.js';
import { median, percentile } from './stats.js';

const PARALLEL = 32;
const ROUNDS = 25;
const WARM_UP = 5;
const MODEL = 'claude-haiku-5-5';
const KEY = 'sk-the-key-of-the-bench-0123456789';
/** As long as what CLIs send with each of their calls. */
const PROMPT_BYTES = 100_000;
/** So long the pretended provider takes for the rest of its answer after the first byte. */
const STREAM_MS = 60;
const PIECES = 6;

interface Timing {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** What the proxy adds to the first byte of streaming calls, beside the same calls sent to the provider itself. */
export const proxy: Bench = {
  name: 'proxy',
  run: async () => {
    const everyMs = STREAM_MS / PIECES;
    const server = await startModelServer(() => ({ text: 'x'.repeat(600), pieces: PIECES, everyMs }));
    const opened = await openProxy({
      host: '127.0.0.1',
      port: 0,
      upstreams: { anthropic: { wire: 'anthropic', baseUrl: server.url, apiKey: KEY } },
      meter: new Meter(meterParts()),
      trace: silentTrace,
      secrets: new SecretBook([KEY]),
      clock: systemClock,
      onError: (error) => process.stderr.write(`${String(error)}\n`),
    });
    const admission = await opened.admit({
      about: {
        lease: { projectId: newId(), workerId: 'bench', epoch: 1 },
        state: 'BENCH',
        agent: 'bench',
        purpose: 'bench',
        attempt: 1,
        tier: null,
        effect: { key: 'bench', run: 1 },
      },
      model: { provider: 'anthropic', model: MODEL },
      maxOutputTokens: 1_000,
      maxCalls: Number.MAX_SAFE_INTEGER,
    });
    try {
      return await measure(`${server.url}/v1/messages`, `${admission.url}/v1/messages`, admission.token);
    } finally {
      await admission.revoke();
      await opened.close();
      await server.stop();
    }
  },
};

/** Rounds of both take turns, so that neither has the quieter machine. */
async function measure(direct: string, proxied: string, token: string): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const [straight, through]: [Timing[], Timing[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const one = await together(direct, KEY, agent);
    const other = await together(proxied, token, agent);
    if (round < WARM_UP) continue;
    straight.push(...one);
    through.push(...other);
  }
  agent.destroy();
  const first = (timings: readonly Timing[], share = 0.5): number => percentile(timings.map(({ firstMs }) => firstMs), share); // prettier-ignore
  const unit = 'ms';
  const note = `first byte at ${String(PARALLEL)} parallel calls of ${String(PROMPT_BYTES)} bytes; baseline: direct`;
  return [
    atMost(
      { name: 'proxy.added-to-first-byte', value: first(through) - first(straight), unit, note: 'p50' },
      'value',
      5,
    ),
    beside({ name: 'proxy.first-byte', value: first(through), unit, baseline: first(straight), note }),
    beside({ name: 'proxy.first-byte.p95', value: first(through, 0.95), unit, baseline: first(straight, 0.95), note }),
    atLeast(
      {
        name: 'proxy.streams',
        value: median(through.map(({ firstMs, lastMs }) => lastMs - firstMs)),
        unit,
        baseline: median(straight.map(({ firstMs, lastMs }) => lastMs - firstMs)),
        note: 'from the first byte out to the last; a proxy that waited for the last one would have none',
      },
      'ratio',
      0.8,
    ),
  ];
}

const together = (url: string, key: string, agent: Agent): Promise<Timing[]> =>
  Promise.all(Array.from({ length: PARALLEL }, () => timed(url, key, agent)));

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

/** What a ledger costs is measured by itself: here one that costs nothing. */
function meterParts() {
  const ledger: Ledger = {
    reserve: async ({ id }) => ({ kind: 'reserved', callId: id }),
    settle: async () => undefined,
    changed: async () => undefined,
  };
  const worstPrice = worstPriceOf({ input: '1', output: '5' });
  return {
    ledger,
    prices: { priceOf: () => worstPrice, contextOf: () => null },
    clock: systemClock,
    trace: silentTrace,
    worstPrice,
  };
}
