import { type FSWatcher, watch } from 'node:fs';
import { type Clock, systemClock } from '#kernel';
import type { ControlledProject } from '#persistence';

const PAGE = 'CONTROL.md';
/** So soon is a new project noticed. */
const NOTICES_MS = 2_000;
/** So soon is a file looked at again that somebody was writing to. */
const AGAIN_MS = 150;
/** So long one file is waited for. */
const LOOKS_MS = 1_000;
const MOST_WATCHED = 500;

export interface ControlWatchParts {
  readonly pollMs: number;
  readonly live: () => Promise<readonly ControlledProject[]>;
  readonly look: (project: ControlledProject, isLive: boolean) => Promise<'done' | 'again'>;
  readonly folderOf: (project: ControlledProject) => Promise<string>;
  readonly warn: (details: Readonly<Record<string, unknown>>, message: string) => void;
  readonly clock?: Clock;
}

interface Watched {
  readonly project: ControlledProject;
  watcher: FSWatcher | null;
  looking: Promise<void> | null;
  wantsLook: boolean;
}

/**
 * Looks at the CONTROL.md of every live project of this host's repositories: when the system tells that it has changed,
 * and every so often where it does not. Modes: watching → stopped (`stop`), after which nothing is looked at.
 */
export class ControlWatch {
  private readonly watched = new Map<string, Watched>();
  private readonly stopping = new AbortController();
  private readonly clock: Clock;
  private over: Promise<void> = Promise.resolve();
  private lastPollAt = -Infinity;

  constructor(private readonly parts: ControlWatchParts) {
    this.clock = parts.clock ?? systemClock;
  }

  start(): void {
    this.over = this.repeat();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { watcher } of this.watched.values()) watcher?.close();
    await this.over;
    for (const { looking } of [...this.watched.values()]) await looking;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.round().catch((error: unknown) => this.parts.warn({ error }, 'looking for CONTROL.md files failed'));
      if (!signal.aborted) await this.clock.sleep(Math.min(NOTICES_MS, this.parts.pollMs), signal);
    }
  }

  private async round(): Promise<void> {
    const live = await this.parts.live();
    const ids = new Set(live.map(({ id }) => id));
    for (const [id, gone] of this.watched) if (!ids.has(id)) await this.leave(id, gone);
    const isDue = this.clock.now() - this.lastPollAt >= this.parts.pollMs;
    if (isDue) this.lastPollAt = this.clock.now();
    for (const project of live) {
      const known = this.watched.get(project.id);
      const one = known ?? { project, watcher: null, looking: null, wantsLook: false };
      this.watched.set(project.id, one);
      // Its folder is made by the first look.
      if (!known) await this.briefly(this.look(one));
      if (isDue || one.watcher === null) await this.attend(one);
      // After it is watched: no change is missed in between.
      if (!known || isDue) await this.briefly(this.look(one));
    }
  }

  /** One that somebody writes to all the time does not keep the others waiting. */
  private async briefly(look: Promise<void>): Promise<void> {
    const enough = new AbortController();
    await Promise.race([look, this.clock.sleep(LOOKS_MS, enough.signal)]);
    enough.abort();
  }

  /** What was written while the project came to its end is answered too. */
  private async leave(id: string, one: Watched): Promise<void> {
    this.watched.delete(id);
    one.watcher?.close();
    if (one.looking) await this.briefly(one.looking);
    await this.lookOnce(one.project, false);
  }

  /** One look at a time; a file that changes meanwhile is looked at once more. */
  private look(one: Watched): Promise<void> {
    one.wantsLook = true;
    one.looking ??= this.lookWhileWanted(one).finally(() => (one.looking = null));
    return one.looking;
  }

  private async lookWhileWanted(one: Watched): Promise<void> {
    // One that somebody writes to all the time is not looked at beyond the project's end.
    while (one.wantsLook && !this.stopping.signal.aborted && this.watched.get(one.project.id) === one) {
      one.wantsLook = false;
      const end = await this.lookOnce(one.project, true);
      if (end === 'done') continue;
      one.wantsLook = true;
      await this.clock.sleep(AGAIN_MS, this.stopping.signal);
    }
  }

  private async lookOnce(project: ControlledProject, isLive: boolean): Promise<'done' | 'again'> {
    try {
      return await this.parts.look(project, isLive);
    } catch (error) {
      // The next look tries again: nothing was taken that is not recorded.
      this.parts.warn({ projectId: project.id, error }, 'CONTROL.md could not be looked at');
      return 'done';
    }
  }

  /** A folder that cannot be watched is looked at every so often all the same. */
  private async attend(one: Watched): Promise<void> {
    // Anew each time: the folder may have been deleted and made again.
    one.watcher?.close();
    one.watcher = null;
    if ([...this.watched.values()].filter(({ watcher }) => watcher !== null).length >= MOST_WATCHED) return;
    try {
      const folder = await this.parts.folderOf(one.project);
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === PAGE && !this.stopping.signal.aborted) void this.look(one);
      });
      const unwatch = (): void => {
        watcher.close();
        if (one.watcher === watcher) one.watcher = null;
      };
      watcher.on('error', unwatch);
      if (this.stopping.signal.aborted) unwatch();
      else one.watcher = watcher;
    } catch {
      one.watcher = null;
    }
  }
}
