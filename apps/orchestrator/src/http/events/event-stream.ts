import type { Response } from 'express';
import type { ProjectEvent } from '#contracts';
import type { EventHead } from '../ports.js';
import type { EventFeed, Follower } from './event-feed.js';

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STUCK_MS = 60_000;
const PAGE = 200;

/**
 * One reader of one project's events, in order, without loss or repeat from `position` on.
 * Modes: quiet (all it knows of is sent) ⇄ sending (one page at a time, at the reader's pace) → closed (the project
 * has ended and all is sent, the reader left, or the service stops).
 */
export class EventStream implements Follower {
  private head: EventHead = { seq: 0, hasEnded: false };
  private isSending = false;
  private isClosed = false;
  private readonly unfollow: () => void;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    readonly projectId: string,
    private position: number,
    private readonly response: Response,
    private readonly feed: EventFeed,
    private readonly closed: (stream: EventStream) => void,
  ) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    response.once('close', () => this.close());
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.unfollow = feed.follow(this);
  }

  moved(head: EventHead): void {
    this.head = head;
    if (!this.isSending && !this.isClosed) void this.send();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.heartbeat);
    this.unfollow();
    this.response.end();
    this.closed(this);
  }

  private async send(): Promise<void> {
    this.isSending = true;
    try {
      while (!this.isClosed && this.position < this.head.seq) {
        const events = await this.feed.page(this.projectId, this.position, PAGE);
        if (events.length === 0) break;
        await this.deliver(events);
      }
      if (this.head.hasEnded && this.position >= this.head.seq) this.close();
    } catch {
      // The store did not answer: nothing was skipped, and the next look tries again from the same place.
    } finally {
      this.isSending = false;
    }
  }

  private async deliver(events: readonly ProjectEvent[]): Promise<void> {
    if (this.isClosed) return;
    const hasRoom = this.response.write(events.map(asMessage).join(''));
    this.position = events.at(-1)?.seq ?? this.position;
    if (!hasRoom) await this.drained();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(stuck);
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      const stuck = setTimeout(() => this.response.destroy(), STUCK_MS);
      this.response.once('drain', done).once('close', done);
    });
  }

  /** Proxies and clients take silence for a dead connection. */
  private beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(': still here\n\n');
  }
}

/** JSON has no line breaks of its own, so one `data` line carries it whole. */
const asMessage = (event: ProjectEvent): string =>
  `id: ${String(event.seq)}\nevent: ${event.type.replace(/[\r\n]/g, ' ')}\ndata: ${JSON.stringify(event)}\n\n`;
