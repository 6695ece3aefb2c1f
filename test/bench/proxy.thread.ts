import { parentPort, workerData } from 'node:worker_threads';
import { openProxy, type ProxyRun } from '#agents';
import { SecretBook, silentTrace, systemClock } from '#kernel';
import { type Ledger, Meter, worstPriceOf } from '#models';
import { openPool, PgLedger } from '#persistence';
import { NO_CAPS } from './held-project.js';

/** What the proxy of the bench is told, and what it tells. */
export interface ProxyOrder {
  readonly upstreamUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Where the ledger is, and the project that pays. */
  readonly databaseUrl: string;
  readonly projectId: string;
}

export interface ProxyAddress {
  readonly url: string;
  /** Of runs at work at the same time: each may have a few calls under way only. */
  readonly tokens: readonly string[];
}

/** Told when it is to close: how long each reservation took, the first one first. */
export interface ProxyEnd {
  readonly reservedInMs: readonly number[];
}

/** The proxy in a thread of its own, as it has a process of its own beside its clients and its provider. */
const { upstreamUrl, apiKey, model, databaseUrl, projectId } = workerData as ProxyOrder;

const onError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
const pool = openPool({ url: databaseUrl, max: 6, name: 'bench', onError });
const pgLedger = new PgLedger(pool, { clock: systemClock, defaults: NO_CAPS });
/** What of all is the ledger's. */
const reservedInMs: number[] = [];
const ledger: Ledger = {
  reserve: async (call) => {
    const since = performance.now();
    const reservation = await pgLedger.reserve(call);
    reservedInMs.push(performance.now() - since);
    return reservation;
  },
  settle: (callId, settlement) => pgLedger.settle(callId, settlement),
  changed: (project, ms, signal) => pgLedger.changed(project, ms, signal),
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
  onError,
});
const RUNS = 8;
const run: ProxyRun = {
  about: {
    lease: { projectId, workerId: 'bench', epoch: 1 },
    state: 'BENCH',
    agent: 'bench',
    purpose: 'bench',
    prompt: null,
    attempt: 1,
    tier: null,
    effect: { key: 'bench', run: 1 },
  },
  model: { provider: 'anthropic', model },
  maxOutputTokens: 1_000,
  maxCalls: Number.MAX_SAFE_INTEGER,
};
const admissions = await Promise.all(Array.from({ length: RUNS }, () => proxy.admit(run)));
const address: ProxyAddress = { url: admissions[0]?.url ?? '', tokens: admissions.map(({ token }) => token) };
parentPort?.postMessage(address);
parentPort?.once('message', () => {
  const end: ProxyEnd = { reservedInMs };
  parentPort?.postMessage(end);
  void proxy
    .close()
    .then(() => pool.end())
    .then(() => parentPort?.close());
});
