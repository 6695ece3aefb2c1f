import { connect, createServer, type Socket } from 'node:net';

/** Which answers to steal. */
export interface Loot {
  /** Any of these is in the statement's text, or is its name: a prepared one is sent by its name alone. */
  readonly of: readonly string[];
  /** Counted from now on, from 1. */
  readonly nth?: number;
  /** How many in a row. */
  readonly times?: number;
}

/** Stands between a process and the database, lets chosen statements through, and steals the answers to them. */
export interface AnswerThief {
  readonly url: string;
  /** How many answers were stolen so far. */
  readonly thefts: number;
  /** Forgets whatever it was after before. */
  arm(loot: Loot): void;
  close(): Promise<void>;
}

export async function answerThief(databaseUrl: string): Promise<AnswerThief> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted: readonly string[] = [];
  let toPass = 0;
  let toSteal = 0;
  let thefts = 0;
  const isLoot = (sent: Buffer): boolean => {
    if (toSteal === 0 || !wanted.some((text) => sent.includes(text))) return false;
    if (toPass > 0) {
      toPass -= 1;
      return false;
    }
    toSteal -= 1;
    return true;
  };
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let isStealing = false;
    client.on('data', (chunk: Buffer) => {
      isStealing = isLoot(chunk) || isStealing;
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
    arm: ({ of, nth = 1, times = 1 }) => {
      wanted = of;
      toPass = nth - 1;
      toSteal = times;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
