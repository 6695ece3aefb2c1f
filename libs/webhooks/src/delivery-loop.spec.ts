import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { AddressGuard } from './address-guard.js';
import { DeliveryLoop } from './delivery-loop.js';
import type { Answer, ClaimedDelivery, ClaimTerms, Verdict } from './delivery.port.js';
import { SecretBox } from './secret-box.js';
import { newSecret } from './signing.js';

const SECRET = newSecret();

describe('the loop that sends what is due', () => {
  let server: Server;
  let verified: string[];
  beforeEach(async () => {
    verified = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/hangs') return;
        new Webhook(SECRET).verify(Buffer.concat(chunks), request.headers as Record<string, string>);
        verified.push(String(request.headers['webhook-id']));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const delivery = (id: string, path = 'in'): ClaimedDelivery => ({
    id, endpointId: path, url: `http://hook.test:${String((server.address() as AddressInfo).port)}/${path}`,
    secrets: [SECRET], type: 'webhook.test', createdAt: new Date(0), project: null, details: {}, attempt: 1, tries: 1,
    isEndpointUnwell: false, traceparent: null,
  }); // prettier-ignore

  /** Answers its nth look with the nth of these, an error as an error. */
  function loopOver(looks: (readonly ClaimedDelivery[] | Error)[]) {
    const settled: { id: string; answer: Answer; verdict: Verdict }[] = [];
    const [asked, failed]: [ClaimTerms[], string[]] = [[], []];
    const loop = new DeliveryLoop({
      store: {
        claim: async (terms) => {
          asked.push({ ...terms, busy: new Map(terms.busy) });
          const look = looks.shift() ?? [];
          if (look instanceof Error) throw look;
          return look;
        },
        settle: async ({ id }, answer, verdict) => {
          settled.push({ id, answer, verdict });
          if (id === 'unwritten') throw new Error('the store is away');
        },
        sweep: async () => 0,
      },
      guard: new AddressGuard(['hook.test'], async () => [{ address: '127.0.0.1', family: 4 }], 500),
      box: new SecretBox(null),
      settings: { retriesMs: [1_000], timeoutMs: 1_500, keepDays: 1 },
      random: () => 0.5,
      watch: {
        within: (_delivery, attempt) => attempt(),
        settled: () => undefined,
        failed: (what) => failed.push(what),
      },
    });
    return { loop, settled, asked, failed };
  }

  it('goes on when the store does not answer, and when an attempt cannot be written down', async () => {
    const { loop, settled, failed } = loopOver([new Error('away'), [delivery('unwritten')], [delivery('next')]]);
    loop.start();
    await eventually('both are sent', async () => settled.length === 2);
    await loop.stop(1_000);
    expect(verified.sort()).toEqual(['next', 'unwritten']);
    expect(settled.map(({ verdict }) => verdict.kind)).toEqual(['delivered', 'delivered']);
    expect(failed).toEqual(['taking what is due', 'writing down an attempt']);
  });

  it('says how many of which endpoint are under way, does not wait for one that hangs, and ends with it', async () => {
    const { loop, settled, asked } = loopOver([[delivery('slow', 'hangs')], [delivery('quick')]]);
    loop.start();
    await eventually('the quick one is sent', async () => settled.length === 1);
    expect(settled[0]).toMatchObject({ id: 'quick', answer: { status: 204, error: null } });
    expect(asked[1]).toMatchObject({ most: 63, busy: new Map([['hangs', 1]]) });
    await loop.stop(5_000);
    expect(settled[1]).toMatchObject({ id: 'slow', answer: { status: null, error: 'no answer within 1500 ms' } });
    expect(settled[1]?.verdict).toEqual({ kind: 'retry', delayMs: 1_000, restMs: null });
  });
});
