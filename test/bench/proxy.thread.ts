import { parentPort, workerData } from 'node:worker_threads';
import { openProxy } from '#agents';
import { newId, SecretBook, silentTrace, systemClock } from '#kernel';
import { type Ledger, Meter, worstPriceOf } from '#models';

/** What the proxy of the bench is told, and what it tells. */
export interface ProxyOrder {
  readonly upstreamUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

export interface ProxyAddress {
  readonly url: string;
  readonly token: string;
}

/** The proxy in a thread of its own, as it has a process of its own beside its clients and its provider. */
const { upstreamUrl, apiKey, model } = workerData as ProxyOrder;

/** What a ledger costs is measured by itself: here one that costs nothing. */
const ledger: Ledger = {
  reserve: async ({ id }) => ({ kind: 'reserved', callId: id }),
  settle: async () => undefined,
  changed: async () => undefined,
};
const worstPrice = worstPriceOf({ input: '1', output: '5' });
const prices = { priceOf: () => worstPrice, contextOf: () => null };

const proxy = await openProxy({
  host: '127.0.0.1',
  port: 0,
  upstreams: { anthropic: { wire: 'anthropic', baseUrl: upstreamUrl, apiKey } },
  meter: new Meter({ ledger, prices, clock: systemClock, trace: silentTrace, worstPrice }),
  trace: silentTrace,
  secrets: new SecretBook([apiKey]),
  clock: systemClock,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
const { url, token } = await proxy.admit({
  about: {
    lease: { projectId: newId(), workerId: 'bench', epoch: 1 },
    state: 'BENCH',
    agent: 'bench',
    purpose: 'bench',
    attempt: 1,
    tier: null,
    effect: { key: 'bench', run: 1 },
  },
  model: { provider: 'anthropic', model },
  maxOutputTokens: 1_000,
  maxCalls: Number.MAX_SAFE_INTEGER,
});
const address: ProxyAddress = { url, token };
parentPort?.postMessage(address);
parentPort?.once('message', () => {
  void proxy.close().then(() => parentPort?.close());
});
