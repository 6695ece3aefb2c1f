import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type Lease, LeaseLost } from '#engine';
import { WorldError } from '#kernel';
import { endGroup } from './end-group.js';
import { startTimeOf } from './proc.js';
import type { ProcessRecord, ProcessRegistry } from './process-registry.port.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly lease: Lease;
  readonly purpose: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly endedBy: 'itself' | 'time-out' | 'interruption' | 'output';
}

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Waits for one line before it becomes the command: nothing works before it is registered. */
const GATED = ['-c', 'read -r go && exec "$@" </dev/null', 'gate'];

/**
 * Runs commands as process groups of their own. Each is registered before it works and released when it has ended;
 * it dies with its worker, and is ended as a whole group by time-out, interruption or too much output.
 */
export class CommandRunner {
  constructor(
    private readonly registry: ProcessRegistry,
    private readonly place: { host: string; path: string },
  ) {}

  async run(command: Command): Promise<CommandResult> {
    command.signal.throwIfAborted();
    const child = this.spawnGated(command);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new WorldError('COMMAND_NOT_STARTED', error.message, {}, { cause: error })),
      );
      child.once('close', (code) => resolve(code));
    });
    ended.catch(() => undefined);
    const record = this.recordOf(child, command);
    if (!record) return this.collect(child, ended, command, null);
    try {
      if (!(await this.registry.register(record, command.lease))) throw new LeaseLost();
      child.stdin.end('go\n');
      return await this.collect(child, ended, command, record);
    } finally {
      await endGroup(record);
      // The command has ended and its result counts, whether or not the registry can be told now; the sweep tells it later.
      await this.registry.release(record).catch(() => undefined);
    }
  }

  private spawnGated(command: Command): ChildProcessWithoutNullStreams {
    const [file, args] =
      process.platform === 'linux'
        ? ['setpriv', ['--pdeathsig', 'KILL', '--', 'sh', ...GATED, command.file, ...command.args]]
        : ['sh', [...GATED, command.file, ...command.args]];
    const child = spawn(file, args, {
      cwd: command.cwd,
      env: { PATH: this.place.path, LANG: 'C.UTF-8', ...command.env },
      detached: true,
      stdio: 'pipe',
    });
    // A command that ends without reading its go-ahead breaks the pipe; its exit says what happened.
    child.stdin.on('error', () => undefined);
    return child;
  }

  private recordOf(child: ChildProcessWithoutNullStreams, command: Command): ProcessRecord | null {
    const startTime = child.pid === undefined ? null : startTimeOf(child.pid);
    if (child.pid === undefined || startTime === null) return null;
    const { host } = this.place;
    const { purpose, lease } = command;
    const { projectId, workerId } = lease;
    return { host, workerId, projectId, purpose, pid: child.pid, group: child.pid, startTime };
  }

  private async collect(
    child: ChildProcessWithoutNullStreams,
    ended: Promise<number | null>,
    command: Command,
    record: ProcessRecord | null,
  ): Promise<CommandResult> {
    let endedBy: CommandResult['endedBy'] = 'itself';
    let ending: Promise<void> | undefined;
    const end = (by: CommandResult['endedBy']): void => {
      if (ending) return;
      endedBy = by;
      ending = record ? endGroup(record) : Promise.resolve();
    };
    const stdout = gather(child.stdout, () => end('output'));
    const stderr = gather(child.stderr, () => end('output'));
    const timer = setTimeout(() => end('time-out'), command.timeoutMs);
    const interrupted = (): void => end('interruption');
    command.signal.addEventListener('abort', interrupted, { once: true });
    if (command.signal.aborted) interrupted();
    try {
      const exitCode = await ended;
      await ending;
      return { exitCode, stdout: stdout(), stderr: stderr(), endedBy };
    } finally {
      clearTimeout(timer);
      command.signal.removeEventListener('abort', interrupted);
    }
  }
}

function gather(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    else tooMuch();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
