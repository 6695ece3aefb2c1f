import type { OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { EventQuery } from '#contracts';
import { systemClock, UserError } from '#kernel';
import type { Logger } from '#telemetry';
import type { EventLog, ProjectReads } from '../ports.js';
import { EventFeed } from './event-feed.js';
import { EventStream } from './event-stream.js';

const MOST_STREAMS = 2_000;
const SEQUENCE = /^\d{1,9}$/;

/** Answers a request for events: with a page, or with a stream where the caller asks for one. */
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Set<EventStream>();
  private readonly feed: EventFeed;

  constructor(
    private readonly reads: ProjectReads,
    private readonly log: EventLog,
    logger: Logger,
    private readonly most = MOST_STREAMS,
  ) {
    this.feed = new EventFeed(log, systemClock, (error) => logger.warn({ error }, 'events could not be read'));
  }

  get size(): number {
    return this.open.size;
  }

  async answer(idOrName: string, query: EventQuery, request: Request, response: Response): Promise<void> {
    if (
      request.method === 'GET' &&
      request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
    ) {
      await this.stream(idOrName, query.after, request, response);
    } else {
      response.json(await this.reads.events(idOrName, query.after ?? 0, query.limit));
    }
  }

  async onModuleDestroy(): Promise<void> {
    const stopped = this.feed.stop();
    for (const stream of this.open) stream.close();
    await stopped;
  }

  private async stream(
    idOrName: string,
    after: number | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    if (this.feed.isStopped)
      throw new UserError('SHUTTING_DOWN', 'The service is stopping. Connect again in a moment.');
    if (this.open.size >= this.most) {
      throw new UserError('TOO_MANY_STREAMS', 'Too many event streams are open. Close some, or read pages instead.');
    }
    const resumed = lastEventId(request);
    const projectId = await this.log.idOf(idOrName);
    const position = resumed ?? after ?? 0;
    const head = (await this.log.heads([projectId])).get(projectId);
    if (resumed !== undefined && head?.hasEnded && resumed >= head.seq) {
      // The way to tell an EventSource that it need not come back.
      response.status(204).end();
      return;
    }
    const stream = new EventStream(projectId, position, response, this.feed, (one) => this.open.delete(one));
    this.open.add(stream);
    if (head) stream.moved(head);
    // The service may have begun to stop while the project was looked up.
    if (this.feed.isStopped) stream.close();
  }
}

function lastEventId(request: Request): number | undefined {
  const id = request.get('last-event-id');
  if (id === undefined || id === '') return undefined;
  if (!SEQUENCE.test(id)) {
    throw new UserError('QUERY_INVALID', 'Last-Event-ID must be the id of an event of this project: a whole number.');
  }
  return Number(id);
}
