import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentId: string;
  readonly name: string;
  readonly process: string;
}

/** A field of a protobuf message: a number, or the bytes of a text or of a message inside. */
type Field = readonly [number, bigint | Buffer];

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value = wire === 0 ? varint() : bytes(wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4);
    yield [tag >> 3, value];
  }
}

const all = (message: Buffer, number: number): Buffer[] =>
  [...fieldsOf(message)].flatMap(([one, value]) => (one === number && Buffer.isBuffer(value) ? [value] : []));
const first = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);

/** ExportTraceServiceRequest → ResourceSpans → ScopeSpans → Span, by the numbers of opentelemetry.proto. */
export function readSpans(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const instance = all(first(resourceSpans, 1), 1).find(
      (pair) => first(pair, 1).toString() === 'service.instance.id',
    );
    const process = instance ? first(first(instance, 2), 1).toString() : '';
    return all(resourceSpans, 2)
      .flatMap((scopeSpans) => all(scopeSpans, 2))
      .map((span) => ({
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentId: first(span, 4).toString('hex'),
        name: first(span, 5).toString(),
        process,
      }));
  });
}

/** A real OTLP endpoint over HTTP that keeps what it is sent. */
export async function startOtlpEndpoint(): Promise<{
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Everything as it came. */
  readonly requests: Buffer[];
  stop(): Promise<void>;
}> {
  const spans: ReceivedSpan[] = [];
  const requests: Buffer[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      requests.push(plain);
      spans.push(...readSpans(plain));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    spans,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
