import { type ChildProcess, fork } from 'node:child_process';
import { errorMessage, WorldError } from '#kernel';
import { PROCESS_MARK } from './names.js';
import { distrust } from './process-mark.js';

export interface GroupWish {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  /** Whoever says more is ended. */
  readonly outputBytes: number;
}

export interface GroupEnd {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** Whether it said more than was wanted. */
  readonly isCut: boolean;
  readonly endedBy: 'time-out' | 'interruption' | null;
}

type PlainWish = Omit<GroupWish, 'signal'>;

/** Null in place of a wish: nobody wants its answer any more. */
export interface HostRequest {
  readonly id: number;
  readonly wish: PlainWish | null;
}

interface PlainError {
  readonly message: string;
  readonly code: string | undefined;
  readonly syscall: string | undefined;
}

export type HostAnswer =
  { readonly id: number; readonly end: GroupEnd } | { readonly id: number; readonly error: PlainError };

/** Beyond a program's own time: its grace, and the way of the answer on a busy machine. */
const HOST_GRACE_MS = 15_000;

interface Waiting {
  readonly resolve: (answer: HostAnswer | null) => void;
  readonly reject: (error: WorldError) => void;
  /** Of the worktree that the program works in, if it works in one. */
  readonly mark: string | undefined;
}

/** What is known of a program whose host is gone. */
const LOST: GroupEnd = { stdout: Buffer.alloc(0), stderr: '', exitCode: null, isCut: false, endedBy: null };

/**
 * A small process that starts programs for this one. Starting one copies the table of all memory of whoever starts it,
 * and stands still meanwhile: for a service that holds hundreds of megabytes that is more than most gits take.
 */
class GroupHost {
  private readonly waiting = new Map<number, Waiting>();

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (answer) => this.settle((answer as HostAnswer).id)?.resolve(answer as HostAnswer));
    // One that was never there has run nothing.
    child.once('error', (error) => (child.pid === undefined ? this.refuse(error) : this.end()));
    child.once('exit', () => this.end());
    child.unref();
    child.channel?.unref();
  }

  static start(): GroupHost {
    const file = new URL(`./group-host.process${import.meta.url.slice(-3)}`, import.meta.url);
    try {
      return new GroupHost(
        fork(file, {
          // A session of its own: whoever interrupts the service at its terminal does not interrupt this one.
          detached: true,
          env: {},
          execArgv: [],
          serialization: 'advanced',
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        }),
      );
    } catch (error) {
      throw hostNotStarted(error);
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Node takes one that could not be started for connected. */
  get isThere(): boolean {
    return this.child.connected && this.child.pid !== undefined;
  }

  ask(id: number, wish: PlainWish | null): void {
    if (this.isThere) this.child.send({ id, wish } satisfies HostRequest, () => undefined);
  }

  answerTo(id: number, wish: PlainWish): Promise<HostAnswer | null> {
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, mark: wish.env[PROCESS_MARK] });
      this.child.channel?.ref();
      this.ask(id, wish);
    });
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.child.channel?.unref();
    return waiting;
  }

  /** What it ran may run on: it is outlived like what another process left, before anybody works there again. */
  private end(): void {
    for (const id of [...this.waiting.keys()]) {
      const lost = this.settle(id);
      if (lost?.mark !== undefined) distrust(lost.mark);
      lost?.resolve(null);
    }
  }

  private refuse(error: Error): void {
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(hostNotStarted(error));
  }
}

/** Of our own process, not of git, and of the machine, which may have room for it later. */
const hostNotStarted = (cause: unknown): WorldError =>
  new WorldError(
    'GIT_HOST_NOT_STARTED',
    `the process that runs gits cannot be started: ${errorMessage(cause)}`,
    {},
    { cause },
  );

let host: GroupHost | null = null;
let last = 0;

/**
 * Runs a program to its end, with all that it starts: they are one process group, so none of them works on, or keeps
 * the pipes open, when the time is up or nobody wants the answer any more. Rejects where it cannot be started.
 */
export async function runGroup({ signal, ...wish }: GroupWish): Promise<GroupEnd> {
  if (!host?.isThere) host = GroupHost.start();
  const [own, id] = [host, (last += 1)];
  const interrupt = (): void => own.ask(id, null);
  signal?.addEventListener('abort', interrupt, { once: true });
  // The host ends programs that take too long. One that does not answer even then is ended itself.
  const deadline = setTimeout(() => own.kill(), wish.timeoutMs + HOST_GRACE_MS);
  try {
    const answer = await own.answerTo(id, wish);
    if (answer === null) return LOST;
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return { ...answer.end, stdout: Buffer.from(answer.end.stdout) };
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', interrupt);
  }
}
