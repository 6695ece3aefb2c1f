import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { telemetryProbe } from './probe.js';
import { startTracing } from './tracing.js';

afterEach(() => vi.unstubAllEnvs());

const settings = {
  isExporting: true,
  serviceName: 'sent-by-test',
  sampler: 'always_on',
  samplerRatio: 1,
  exportEveryMs: 50,
} as const;

describe('tracing', () => {
  it('sends protobuf to the standard address', async () => {
    const received: { path: string | undefined; type: string | undefined; body: string }[] = [];
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url, headers } = request;
        received.push({ path: url, type: headers['content-type'], body: Buffer.concat(chunks).toString('latin1') });
        response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${String(port)}`);
    const tracing = await startTracing(settings, 'i');
    await telemetryProbe().within('transition', { attributes: { cause: 'because' } }, () => Promise.resolve());
    await tracing.stop(2_000);
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    expect(received).toMatchObject([{ path: '/v1/traces', type: 'application/x-protobuf' }]);
    expect(received[0]?.body).toContain('sent-by-test');
    expect(received[0]?.body).toContain('qralph.cause');
  });

  it('stops by its deadline when the collector never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${String(port)}`);
    const tracing = await startTracing(settings, 'i');
    await telemetryProbe().within('transition', { attributes: {} }, () => Promise.resolve());
    const before = performance.now();
    await tracing.stop(200);
    expect(performance.now() - before).toBeLessThan(2_000);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});
