import { Worker } from 'node:worker_threads';
import { ToolRefusal } from '../tools/refusal.js';
import type { Match, MatchWish } from './match.worker.js';

/** Next to this file, compiled or as source: Node runs both. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './match.worker.ts' : './match.worker.js', import.meta.url);

const TOO_LONG = 'the pattern takes too long on these files: use a simpler one';
const BROKEN = 'the pattern could not be tried on these files: use a simpler one, or fewer files';

interface Waiting {
  readonly wish: MatchWish;
  readonly timeoutMs: number;
  readonly resolve: (matches: readonly Match[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Tries patterns in a few threads, one portion of texts per thread at a time. A thread whose pattern takes longer than
 * it may is ended; the next portion that finds none free starts a new one. Threads that are free keep nothing alive.
 */
export class PatternMatcher {
  private readonly free: MatchThread[] = [];
  private readonly waiting: Waiting[] = [];
  private threads = 0;

  constructor(private readonly most = 2) {}

  match(wish: MatchWish, timeoutMs: number): Promise<readonly Match[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ wish, timeoutMs, resolve, reject });
      this.serve();
    });
  }

  private serve(): void {
    while (this.waiting.length > 0 && (this.free.length > 0 || this.threads < this.most)) {
      const next = this.waiting.shift();
      if (next) void this.give(this.free.pop() ?? this.started(), next);
    }
  }

  private started(): MatchThread {
    this.threads += 1;
    return new MatchThread();
  }

  private async give(thread: MatchThread, { wish, timeoutMs, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await thread.match(wish, timeoutMs));
      this.free.push(thread);
    } catch (error) {
      this.threads -= 1;
      reject(error as Error);
    }
    this.serve();
  }
}

/** Modes: free → busy → free, or ended: after a failure it is not used again. */
class MatchThread {
  private readonly thread: Worker;
  private over: (end: readonly Match[] | string) => void = () => undefined;
  /** A thread's start is none of the pattern's time. */
  private readonly begun: Promise<unknown>;
  private hasEnded = false;

  constructor() {
    this.thread = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: 256 }, execArgv: [], env: {} });
    this.thread.on('message', (matches: readonly Match[]) => this.over(matches));
    this.thread.on('error', () => this.over(BROKEN));
    this.thread.on('exit', () => {
      this.hasEnded = true;
      this.over(BROKEN);
    });
    this.begun = new Promise((resolve) => {
      this.thread.once('online', resolve);
      this.thread.once('exit', resolve);
    });
  }

  async match(wish: MatchWish, timeoutMs: number): Promise<readonly Match[]> {
    await this.begun;
    this.thread.unref();
    if (this.hasEnded) throw new ToolRefusal(BROKEN);
    const end = await new Promise<readonly Match[] | string>((resolve) => {
      // The timer, not the thread, keeps the process alive meanwhile.
      const timer = setTimeout(() => this.over(TOO_LONG), timeoutMs);
      this.over = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      this.thread.postMessage(wish);
    });
    if (typeof end !== 'string') return end;
    await this.thread.terminate();
    throw new ToolRefusal(end);
  }
}
