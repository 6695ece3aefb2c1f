import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.js';
import { post } from './send.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const loopback = [{ address: '127.0.0.1', family: 4 }];
const open = new AddressGuard(['hook.test'], () => Promise.resolve(loopback), 1_000);
const sent = (guard: AddressGuard, port: number, timeoutMs = 2_000) =>
  post(guard, { url: `http://hook.test:${String(port)}/in`, headers: { 'webhook-id': '1' }, body: '{}' }, timeoutMs);

describe('a message', () => {
  it('is posted once, to the address that the guard was given for the name', async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''} ${String(request.headers.host)}`);
      response.writeHead(200).end('ok');
    });
    expect(await sent(open, port)).toMatchObject({ status: 200, error: null });
    expect(seen).toEqual([`POST /in hook.test:${String(port)}`]);
  });

  it('does not reach a name that was public when it was looked at and is private when it is connected to', async () => {
    let asked = 0;
    let connections = 0;
    const port = await serve(() => (connections += 1));
    const answers = [[{ address: '8.8.8.8', family: 4 }], loopback];
    const rebinding = new AddressGuard([], () => Promise.resolve(answers[asked++] ?? loopback), 1_000);
    const url = `https://hook.test:${String(port)}/in`;
    expect((await rebinding.checkNow(url)).hostname).toBe('hook.test');
    const outcome = await post(rebinding, { url, headers: {}, body: '{}' }, 2_000);
    expect(outcome).toMatchObject({ status: null });
    expect(outcome.error).toMatch(/WEBHOOK_URL_REFUSED.*not on the public internet/);
    expect(asked).toBe(2);
    expect(connections).toBe(0);
  });

  it('is connected to what was judged: the name is not asked for again in between', async () => {
    let asked = 0;
    const port = await serve((_request, response) => response.writeHead(204).end());
    const once = new AddressGuard(
      ['127.0.0.0/8'],
      () => {
        asked += 1;
        return Promise.resolve(asked === 1 ? loopback : [{ address: '10.255.255.1', family: 4 }]);
      },
      1_000,
    );
    expect(await sent(once, port)).toMatchObject({ status: 204 });
    expect(asked).toBe(1);
  });

  it.each([
    [302, '302: redirects are not followed'],
    [500, 'it answered 500'],
    [410, 'it answered 410'],
    [199 + 105, '304: redirects are not followed'],
  ])('that is answered %i has failed', async (status, error) => {
    const port = await serve((_request, response) => response.writeHead(status, { location: '/other' }).end());
    expect(await sent(open, port)).toMatchObject({ status, error });
  });

  it('hears when to come back', async () => {
    const port = await serve((_request, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    expect(await sent(open, port)).toMatchObject({ status: 429, retryAfterMs: 7_000 });
  });

  it('is given up in time, whatever the receiver and the resolver do', async () => {
    const port = await serve(() => undefined);
    expect(await sent(open, port, 150)).toMatchObject({ status: null, error: 'no answer within 150 ms' });
    const stuck = new AddressGuard([], () => new Promise(() => undefined), 100);
    const outcome = await post(stuck, { url: 'https://hook.test/', headers: {}, body: '' }, 2_000);
    expect(outcome).toMatchObject({ status: null, isUnresolved: true });
    expect(outcome.error).toMatch(/hook\.test has no address: no answer within 100 ms/);
    const stuckForLonger = new AddressGuard([], () => new Promise(() => undefined), 60_000);
    const soon = await post(stuckForLonger, { url: 'https://hook.test/', headers: {}, body: '' }, 50);
    expect(soon).toMatchObject({ status: null, error: 'no answer within 50 ms' });
  });

  it('has arrived with its status, though the answer never ends', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(32_768)), 1);
      response.on('close', () => clearInterval(more));
    });
    expect(await sent(open, port, 5_000)).toMatchObject({ status: 200, error: null });
  });

  it('that finds nobody says so', async () => {
    const port = await serve(() => undefined);
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    const { status, error } = await sent(open, port);
    expect(status).toBeNull();
    expect(error).toMatch(/ECONNREFUSED/);
  });
});
