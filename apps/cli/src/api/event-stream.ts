import { setTimeout as sleep } from 'node:timers/promises';
import { type ProjectEvent, routes } from '#contracts';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { type Client, pathOf } from './client.js';
import { isRefusedConnection, Lost } from './lost.js';
import { messagesOf } from './sse.js';

export interface Following {
  /** Only events after this one. */
  readonly after?: number;
  /** How long a service that is away is waited for, counted from its last sign of life. */
  readonly waitMs: number;
  /** The service is away, or back. */
  readonly onAway?: (isAway: boolean) => void;
}

/** The service says something every 15 seconds: a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const PAUSE_MS = 250;

/**
 * The events of a project as they happen, to its end. A connection that ends before that is opened again behind the last
 * event that came, so that none is lost and none comes twice, also when the service was killed in between.
 */
export async function* eventsOf(client: Client, project: string, following: Following): AsyncGenerator<ProjectEvent> {
  let last = following.after ?? 0;
  let heardAt: number | null = null;
  let isAway = false;
  for (;;) {
    try {
      const opened = await openStream(client, project, last);
      if (opened === null) return;
      heardAt = performance.now();
      if (isAway) following.onAway?.((isAway = false));
      for await (const data of messagesOf(opened, SILENCE_MS)) {
        heardAt = performance.now();
        const event = JSON.parse(data) as ProjectEvent;
        if (event.seq <= last) continue;
        last = event.seq;
        yield event;
      }
    } catch (error) {
      const lost = client.lost(error);
      if (error instanceof Failure || !(lost instanceof Lost)) throw error;
      const { failure } = error instanceof Lost ? error : lost;
      const isFirst = heardAt === null && isRefusedConnection(error instanceof Lost ? error : lost);
      if (isFirst || performance.now() - (heardAt ??= performance.now()) > following.waitMs) {
        throw new Failure(EXIT.unreachable, failure.code, failure.message, { cause: error });
      }
      if (!isAway) following.onAway?.((isAway = true));
    }
    await sleep(PAUSE_MS, undefined, { signal: client.settings.signal });
  }
}

/** Null: the project has ended, and everything was sent. */
async function openStream(client: Client, id: string, last: number): Promise<ReadableStream<Uint8Array> | null> {
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last) };
  const response = await client.open(pathOf(routes.projectEvents, { id }), headers, client.settings.signal);
  if (response.status === 204) return null;
  if (!response.ok || !response.body) throw await client.refusalOf(response);
  return response.body;
}
