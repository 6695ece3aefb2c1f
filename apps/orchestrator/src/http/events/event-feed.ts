import type { ProjectEvent } from '#contracts';
import type { Clock } from '#kernel';
import type { EventHead, EventLog } from '../ports.js';

const POLL_MS = 100;
const LONGEST_BACKOFF_MS = 1_000;

/** Somebody who follows one project. */
export interface Follower {
  readonly projectId: string;
  /** Called with the newest head whenever it is read; must not wait. */
  moved(head: EventHead): void;
}

/**
 * One look at the store for all followers together, a few times a second and only while there are any.
 * Modes: resting (no followers) ⇄ polling → stopped (`stop`; takes no followers any more).
 */
export class EventFeed {
  private readonly followers = new Set<Follower>();
  private readonly pages = new Map<string, Promise<readonly ProjectEvent[]>>();
  private readonly stopping = new AbortController();
  private polling: Promise<void> = Promise.resolve();
  private isPolling = false;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.followers.size;
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Returns how to stop following. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    if (!this.isPolling && !this.isStopped) {
      this.isPolling = true;
      this.polling = this.poll();
    }
    return () => void this.followers.delete(follower);
  }

  /** Followers at the same place share one reading. */
  page(projectId: string, after: number, limit: number): Promise<readonly ProjectEvent[]> {
    const place = `${projectId}/${String(after)}/${String(limit)}`;
    const shared = this.pages.get(place);
    if (shared) return shared;
    const reading = this.log.eventsAfter(projectId, after, limit).finally(() => this.pages.delete(place));
    this.pages.set(place, reading);
    return reading;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.polling;
  }

  private async poll(): Promise<void> {
    let pauseMs = POLL_MS;
    while (this.followers.size > 0 && !this.isStopped) {
      try {
        await this.look();
        pauseMs = POLL_MS;
      } catch (error) {
        this.failed(error);
        pauseMs = Math.min(pauseMs * 2, LONGEST_BACKOFF_MS);
      }
      await this.clock.sleep(pauseMs, this.stopping.signal);
    }
    this.isPolling = false;
  }

  private async look(): Promise<void> {
    const ids = [...new Set([...this.followers].map((follower) => follower.projectId))];
    const heads = await this.log.heads(ids);
    for (const follower of this.followers) {
      const head = heads.get(follower.projectId);
      if (head) follower.moved(head);
    }
  }
}
