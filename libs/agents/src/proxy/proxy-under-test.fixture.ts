import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, newId, SecretBook, silentTrace, systemClock, type Trace } from '#kernel';
import {
  type CallAbout,
  type ClassPrices,
  type Ledger,
  Meter,
  type NewCall,
  type Price,
  type Reservation,
  type Settlement,
} from '#models';
import { type ModelServer, startModelServer } from '#testing';
import { openProxy } from './open-proxy.js';
import type { ProxyLimits, ProxyRun } from './proxy.port.js';

export const PROVIDER_KEY = 'sk-ant-the-key-of-the-provider-0123456789';
export const MODEL = 'claude-haiku-5-5';

const classes: ClassPrices = {
  input: 1_000_000_000n,
  output: 5_000_000_000n,
  cacheRead: 100_000_000n,
  cacheWrite: 1_250_000_000n,
  longCacheWrite: 2_000_000_000n,
  reasoning: 5_000_000_000n,
};
export const PRICE: Price = { version: 'test', classes, thresholds: [] };

/** A ledger in memory with one cap. */
export class MemoryLedger implements Ledger {
  readonly calls: (NewCall & { callId: string; settlement: Settlement | null })[] = [];
  isStale = false;
  constructor(public capNanoUsd = 1_000_000_000_000n) {}

  async reserve(call: NewCall): Promise<Reservation> {
    if (this.isStale) return { kind: 'stale' };
    const reserved = this.sum((one) => (one.settlement ? 0n : one.reserved.nanoUsd));
    const used = this.sum((one) => one.settlement?.counted.nanoUsd ?? 0n);
    if (used + reserved + call.reserved.nanoUsd > this.capNanoUsd) {
      const [cap, wanted] = [this.capNanoUsd, call.reserved.nanoUsd];
      const breaker = {
        name: 'usd' as const,
        cap: `${cap}`,
        used: `${used}`,
        reserved: `${reserved}`,
        wanted: `${wanted}`,
      };
      return { kind: 'full', fitsAlone: used + wanted <= cap, breaker };
    }
    const callId = newId();
    this.calls.push({ ...call, callId, settlement: null });
    return { kind: 'reserved', callId };
  }

  async settle(callId: string, settlement: Settlement): Promise<void> {
    const call = this.calls.find((one) => one.callId === callId);
    if (call) call.settlement ??= settlement;
  }

  async changed(_projectId: string, ms: number, signal: AbortSignal): Promise<void> {
    await systemClock.sleep(Math.min(ms, 10), signal);
  }

  /** How each call ended, the first one first; null: not yet. */
  ends(): (string | null)[] {
    return this.calls.map(({ settlement }) => settlement?.status ?? null);
  }

  cost(): bigint {
    return this.sum((one) => one.settlement?.costNanoUsd ?? 0n);
  }

  private sum(of: (call: MemoryLedger['calls'][number]) => bigint): bigint {
    return this.calls.reduce((total, call) => total + of(call), 0n);
  }
}

export const meterOn = (ledger: Ledger, trace: Trace = silentTrace): Meter =>
  new Meter({
    ledger,
    prices: { priceOf: () => PRICE, contextOf: () => 200_000 },
    clock: systemClock,
    trace,
    worstPrice: PRICE,
  });

export const aboutCall = (): CallAbout => ({
  lease: { projectId: newId(), workerId: 'w', epoch: 1 },
  state: 'WORKING',
  agent: 'builder',
  purpose: 'a test',
  prompt: 'test@1',
  attempt: 1,
  tier: 'small',
  effect: { key: 'a-key', run: 1 },
});

/** A proxy before a pretended provider, with the ledger that its calls go to. */
export async function openProxyUnderTest(
  more: { limits?: Partial<ProxyLimits>; trace?: Trace; baseUrl?: string; apiKey?: string; server?: ModelServer } = {},
) {
  const server = more.server ?? (await startModelServer([], { key: PROVIDER_KEY }));
  const ledger = new MemoryLedger();
  const errors: unknown[] = [];
  const trace = more.trace ?? silentTrace;
  const secrets = new SecretBook([PROVIDER_KEY]);
  const apiKey = more.apiKey ?? PROVIDER_KEY;
  const upstreams = {
    anthropic: { wire: 'anthropic' as const, baseUrl: more.baseUrl ?? server.url, apiKey },
    openai: { wire: 'openai' as const, baseUrl: more.baseUrl ?? server.openaiUrl, apiKey },
    compatible: { wire: 'compatible' as const, baseUrl: more.baseUrl ?? server.openaiUrl, apiKey },
  };
  const proxy = await openProxy({
    host: '127.0.0.1',
    port: 0,
    upstreams,
    meter: meterOn(ledger, trace),
    trace,
    secrets,
    clock: systemClock,
    onError: (error) => errors.push(error),
    ...(more.limits && { limits: more.limits }),
  });
  const admit = (run: Partial<ProxyRun> = {}) =>
    proxy.admit({
      about: aboutCall(),
      model: { provider: 'anthropic', model: MODEL },
      maxOutputTokens: 1_000,
      maxCalls: 100,
      ...run,
    });
  const close = async (): Promise<void> => {
    await proxy.close();
    await server.stop();
  };
  return { server, ledger, secrets, errors, proxy, admit, close };
}

/** A call as a CLI makes it. */
export function post(url: string, token: string, body: JsonObject | string, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': token, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const messages = (more: JsonObject = {}): JsonObject => ({
  model: MODEL,
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
  ...more,
});

/** A provider that does what it likes. */
export async function listenAs(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}
