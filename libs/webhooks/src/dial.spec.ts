import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.js';
import { CERT, KEY } from './hook-test.fixture.js';
import { post } from './send.js';

const loopback = [{ address: '127.0.0.1', family: 4 }];
const portOf = (server: Pick<Server, 'address'>): string => String((server.address() as AddressInfo).port);

describe('a message over TLS', () => {
  let server: Server;
  const heard: string[] = [];
  const usual = getCACertificates('default');
  beforeAll(async () => {
    setDefaultCACertificates([...usual, CERT]);
    server = createServer({ cert: CERT, key: KEY }, (request, response) => {
      request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
      request.on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    setDefaultCACertificates(usual);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const sent = (host: string) => {
    const guard = new AddressGuard([host], () => Promise.resolve(loopback), 1_000);
    return post(guard, { url: `https://${host}:${portOf(server)}/in`, headers: {}, body: `{"to":"${host}"}` }, 5_000);
  };

  it('arrives where the certificate is that of the name, also where a dot ends it', async () => {
    expect(await sent('hook.test')).toMatchObject({ status: 204, error: null });
    const guard = new AddressGuard(['hook.test'], () => Promise.resolve(loopback), 1_000);
    const url = `https://hook.test.:${portOf(server)}/in`;
    expect(await post(guard, { url, headers: {}, body: '{}' }, 5_000)).toMatchObject({ status: 204 });
  });

  it('is not said to somebody with a certificate of another name', async () => {
    const { status, error } = await sent('other.test');
    expect([status, error]).toEqual([null, expect.stringMatching(/^ERR_TLS_CERT_ALTNAME_INVALID/) as string]);
    expect(heard.join()).not.toContain('other.test');
  });

  it('is not said to somebody whom nobody vouches for', async () => {
    setDefaultCACertificates(usual);
    const { status, error } = await sent('hook.test').finally(() => setDefaultCACertificates([...usual, CERT]));
    expect([status, error]).toEqual([null, expect.stringMatching(/self-signed|SELF_SIGNED/) as string]);
  });
});

it('not a byte reaches an address that nobody judged, not even the name that TLS begins with', async () => {
  let bytes = 0;
  const server = createTcpServer((socket) => void socket.on('data', (chunk) => (bytes += chunk.length)));
  const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const fooled = new AddressGuard([], () => Promise.resolve(loopback), 1_000);
    fooled.addressesOf = () => Promise.resolve(loopback);
    const url = `https://hook.test:${portOf(server)}/`;
    const { status, error } = await post(fooled, { url, headers: {}, body: '{}' }, 2_000);
    expect([status, error]).toEqual([
      null,
      expect.stringMatching(/connected to 127\.0\.0\.1, which is not on/) as string,
    ]);
    await closed;
    expect(bytes).toBe(0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
