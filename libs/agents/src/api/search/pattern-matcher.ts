import { Worker } from 'node:worker_threads';
import { ToolRefusal } from '../tools/refusal.js';
import type { Match, MatchWish } from './match.worker.js';

/** Next to this file, compiled or as source: Node runs both. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './match.worker.ts' : './match.worker.js', import.meta.url);

interface Waiting {
  readonly wish: MatchWish;
  readonly timeoutMs: number;
  readonly resolve: (matches: readonly Match[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Tries patterns in a few threads, one portion of texts per thread at a time. Modes of a thread: free → busy → free, or
 * ended when a pattern takes longer than it may; the next portion that finds none free starts a new one. Threads that
 * are free keep nothing alive.
 */
export class PatternMatcher {
  private readonly free: Worker[] = [];
  private readonly waiting: Waiting[] = [];
  private threads = 0;

  constructor(private readonly most = 2) {}

  match(wish: MatchWish, timeoutMs: number): Promise<readonly Match[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ wish, timeoutMs, resolve, reject });
      this.serve();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.free.splice(0).map((thread) => this.end(thread)));
  }

  private serve(): void {
    while (this.waiting.length > 0 && (this.free.length > 0 || this.threads < this.most)) {
      const next = this.waiting.shift();
      if (next) this.give(this.free.pop() ?? this.started(), next);
    }
  }

  private started(): Worker {
    this.threads += 1;
    return new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: 256 }, execArgv: [], env: {} });
  }

  private give(thread: Worker, { wish, timeoutMs, resolve, reject }: Waiting): void {
    thread.ref();
    const over = (settle: () => void): void => {
      clearTimeout(timer);
      thread.removeAllListeners();
      // Without a listener an error would take the process down.
      thread.on('error', () => undefined);
      settle();
      this.serve();
    };
    const broken = (message: string) => (): void => {
      void this.end(thread);
      over(() => reject(new ToolRefusal(message)));
    };
    const timer = setTimeout(broken('the pattern takes too long on these files: use a simpler one'), timeoutMs);
    thread.once('message', (matches: readonly Match[]) => {
      thread.unref();
      this.free.push(thread);
      over(() => resolve(matches));
    });
    thread.once('error', broken('the pattern could not be tried: use a simpler one'));
    thread.postMessage(wish);
  }

  private async end(thread: Worker): Promise<void> {
    this.threads -= 1;
    await thread.terminate();
  }
}
