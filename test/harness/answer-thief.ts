import { connect, createServer, type Socket } from 'node:net';

/** Stands between a process and the database, lets one chosen write through, and steals the answer to it. */
export interface AnswerThief {
  readonly url: string;
  /** How many answers were stolen so far. */
  readonly thefts: number;
  /** Steals the answer to the nth write from now on. */
  arm(nth: number): void;
  close(): Promise<void>;
}

const WRITES = ['write-one', 'write-batch', 'COMMIT'];

export async function answerThief(databaseUrl: string): Promise<AnswerThief> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let left = 0;
  let thefts = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let isStealing = false;
    client.on('data', (chunk: Buffer) => {
      if (left > 0 && WRITES.some((name) => chunk.includes(name))) {
        left -= 1;
        isStealing ||= left === 0;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      // The database has answered, so it is done; nobody will hear of it.
      if (isStealing) {
        thefts += 1;
        cut();
      } else client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the thief has no port');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${String(address.port)}`;
  return {
    url: url.href,
    get thefts() {
      return thefts;
    },
    arm: (nth) => (left = nth),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
