import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { WorldError } from '#kernel';
import { type Listener, Output } from './output.js';
import { startTimeOf } from './proc.js';
import { RUN_MARK } from './run-mark.js';

/**
 * Waits for one line, its mark, before it becomes the command: nothing works before it is registered. Where memory runs
 * out, the kernel looks here first, not at the service.
 */
const GATE = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
read -r ${RUN_MARK} && export ${RUN_MARK} && input=$1 && shift && exec "$@" <"$input"`;

interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdinFile: string;
}

/** A command that leads a process group of its own, dies with this process, and does nothing before it is let go. */
export class GatedChild {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<unknown>;
  /** Its exit code; null when a signal ended it. Rejects when it could not be started. */
  readonly exited: Promise<number | null>;

  constructor({ file, args, cwd, env, stdinFile }: Started) {
    const gated = ['--pdeathsig', 'KILL', '--', 'sh', '-c', GATE, 'gate', stdinFile, file, ...args];
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
  gather(listener: Listener): Output {
    return new Output(this.child, this.closed, listener);
  }
}

export const notStarted = (cause: unknown): WorldError =>
  new WorldError('COMMAND_NOT_STARTED', cause instanceof Error ? cause.message : String(cause), {}, { cause });
