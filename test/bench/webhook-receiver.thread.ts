import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** What is asked of the receiver: what it took since it was asked last, or to end. */
export type ReceiverQuestion = 'taken' | 'end';

export interface Taken {
  readonly count: number;
  /** From the time in each message until it was here, in ms. */
  readonly lagsMs: readonly number[];
}

/** Takes every message in a thread of its own, as it is somebody else's process. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { timestamp: string };
    lagsMs.push(Date.now() - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});
let lagsMs: number[] = [];
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
parentPort?.postMessage((server.address() as AddressInfo).port);
parentPort?.on('message', (question: ReceiverQuestion) => {
  if (question === 'taken') {
    const taken: Taken = { count: lagsMs.length, lagsMs };
    lagsMs = [];
    return parentPort?.postMessage(taken);
  }
  server.closeAllConnections();
  server.close(() => parentPort?.close());
});
