import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.js';
import { openNameServer, type Zone } from './name-server.fixture.js';
import { asThisMachine, fromNameServers } from './resolve.js';
import { post } from './send.js';

describe('a name that is asked of name servers', () => {
  let server: Server;
  let connections = 0;
  beforeEach(async () => {
    connections = 0;
    server = createServer((_request, response) => response.writeHead(204).end());
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = (name: string, scheme = 'https') =>
    `${scheme}://${name}:${String((server.address() as AddressInfo).port)}/in`;
  const sent = (guard: AddressGuard, to: string) => post(guard, { url: to, headers: {}, body: '{}' }, 5_000);
  async function withZone(zone: Zone, allowed: readonly string[], work: (guard: AddressGuard) => Promise<void>) {
    const names = await openNameServer(zone);
    try {
      await work(new AddressGuard(allowed, fromNameServers([names.address]), 1_000));
    } finally {
      await names.close();
    }
  }

  it('is connected at the address that they have', () =>
    withZone(
      () => '127.0.0.1',
      ['127.0.0.0/8'],
      async (guard) => {
        expect(await sent(guard, url('hook.example.org', 'http'))).toMatchObject({ status: 204 });
      },
    ));

  it('and that is another at the second question is not connected: the first was public, this is not', () =>
    withZone(
      (_name, nth) => (nth === 1 ? '8.8.8.8' : '127.0.0.1'),
      [],
      async (guard) => {
        expect((await guard.checkNow(url('rebinds.example.org'))).hostname).toBe('rebinds.example.org');
        const { status, error } = await sent(guard, url('rebinds.example.org'));
        expect(status).toBeNull();
        expect(error).toMatch(/WEBHOOK_URL_REFUSED.*not on the public internet/);
        expect(connections).toBe(0);
      },
    ));

  it('and that changes between the look and the connection is connected where the look was', () =>
    withZone(
      (_name, nth) => (nth === 1 ? '127.0.0.1' : '127.0.0.2'),
      ['127.0.0.0/8'],
      async (guard) => {
        expect(await sent(guard, url('flips.example.org', 'http'))).toMatchObject({ status: 204 });
        expect(connections).toBe(1);
      },
    ));

  it('and that nobody answers for is given up in time, and many of them hold up no other', () =>
    withZone(
      (name) => (name.startsWith('silent') ? null : '127.0.0.1'),
      ['127.0.0.0/8'],
      async (guard) => {
        const order: string[] = [];
        const to = async (name: string) => {
          const outcome = await sent(guard, url(name, 'http'));
          order.push(name);
          return outcome;
        };
        const silent = Array.from({ length: 40 }, (_, nth) => `silent-${String(nth)}.example.org`);
        const all = [...silent, 'quick.example.org'].map(to);
        const outcomes = await Promise.all(all);
        expect(order[0]).toBe('quick.example.org');
        expect(outcomes.pop()).toMatchObject({ status: 204 });
        for (const { error, isUnresolved } of outcomes) {
          expect(error).toMatch(/no answer within 1000 ms/);
          expect(isUnresolved).toBe(true);
        }
      },
    ));
});

describe('a name that only this machine may know', () => {
  it('is asked of the machine where the operator named it, and else of the name servers as any other', async () => {
    const names = await openNameServer(() => '10.0.0.9');
    try {
      const found = async (allowed: readonly string[]) => {
        const resolve = asThisMachine(allowed, fromNameServers([names.address]));
        return (await resolve('localhost', AbortSignal.timeout(5_000))).map(({ address }) => address);
      };
      expect(await found(['Localhost', '10.0.0.0/8'])).toContain('127.0.0.1');
      expect(await found(['other'])).toEqual(['10.0.0.9']);
    } finally {
      await names.close();
    }
  });
});
