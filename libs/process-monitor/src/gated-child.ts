import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { WorldError } from '#kernel';
import { startTimeOf } from './proc.js';
import { RUN_MARK } from './run-mark.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** After its end a command's output is read until it is silent for so long: somebody unknown may hold the pipe open. */
const SILENCE_MS = 200;
const MAX_DRAIN_ROUNDS = 10;

/** Waits for one line, its mark, before it becomes the command: nothing works before it is registered. */
const GATE = `read -r ${RUN_MARK} && export ${RUN_MARK} && exec "$@" </dev/null`;

interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A command that leads a process group of its own, dies with this process, and does nothing before it is let go. */
export class GatedChild {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<unknown>;
  /** Its exit code; null when a signal ended it. Rejects when it could not be started. */
  readonly exited: Promise<number | null>;

  constructor({ file, args, cwd, env }: Started) {
    const gated = ['--pdeathsig', 'KILL', '--', 'sh', '-c', GATE, 'gate', file, ...args];
    this.child = spawn('setpriv', gated, { cwd, env, detached: true, stdio: 'pipe' });
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', (error) => reject(notStarted(error)));
      this.child.once('exit', (code) => resolve(code));
    });
    this.exited.catch(() => undefined);
    this.closed = new Promise((resolve) => this.child.once('close', resolve));
    // A command that ends without reading its go-ahead breaks the pipe; its exit says what happened.
    this.child.stdin.on('error', () => undefined);
  }

  /** Pid and start time. A child that nobody can name is killed: it could be neither registered nor ended later. */
  async identity(): Promise<{ pid: number; startTime: string }> {
    const { pid } = this.child;
    try {
      const startTime = pid === undefined ? null : startTimeOf(pid);
      if (pid !== undefined && startTime !== null) return { pid, startTime };
    } catch (error) {
      this.kill();
      await this.exited;
      throw notStarted(error);
    }
    this.kill();
    await this.exited;
    throw notStarted(new Error('it ended before it began'));
  }

  letGo(mark: string): void {
    this.child.stdin.end(`${mark}\n`);
  }

  /** Kills the group without a look at /proc: until its exit is known here, the pid is the child's. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  /** Collects the output from now on, up to a limit. */
  gather(tooMuch: () => void): Output {
    return new Output(this.child, this.closed, tooMuch);
  }
}

export class Output {
  private readonly stdout: Buffer[] = [];
  private readonly stderr: Buffer[] = [];
  private received = 0;
  private isTooMuch = false;

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly closed: Promise<unknown>,
    tooMuch: () => void,
  ) {
    for (const name of ['stdout', 'stderr'] as const) {
      let size = 0;
      child[name].on('data', (chunk: Buffer) => {
        this.received += chunk.length;
        size += chunk.length;
        if (size <= MAX_OUTPUT_BYTES) this[name].push(chunk);
        else {
          this.isTooMuch = true;
          tooMuch();
        }
      });
    }
  }

  /** All that the command wrote before its end; cut short when it was too much. */
  async drained(): Promise<{ stdout: string; stderr: string; isTooMuch: boolean }> {
    let isClosed = false;
    for (let round = 1; round <= MAX_DRAIN_ROUNDS && !isClosed; round += 1) {
      const before = this.received;
      isClosed = await Promise.race([this.closed.then(() => true), delay(SILENCE_MS, false, { ref: false })]);
      // A busy process may find the time over before it has read what waits in the pipe: one turn reads it.
      await turn();
      if (this.received === before) break;
    }
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString('utf8');
    return { stdout: text(this.stdout), stderr: text(this.stderr), isTooMuch: this.isTooMuch };
  }
}

const notStarted = (cause: unknown): WorldError =>
  new WorldError('COMMAND_NOT_STARTED', cause instanceof Error ? cause.message : String(cause), {}, { cause });
