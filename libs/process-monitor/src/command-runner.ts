import { type Lease, LeaseLost } from '#engine';
import { OUTCOME_UNKNOWN, systemClock, UserError, WorldError } from '#kernel';
import { endGroup } from './end-group.js';
import { GatedChild, type Output } from './gated-child.js';
import type { ProcessRecord, ProcessRegistry } from './process-registry.port.js';
import { markOf } from './run-mark.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly lease: Lease;
  readonly purpose: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What it reads from standard input; nothing where unset. */
  readonly stdinFile?: string;
  readonly limits?: CommandLimits;
  /** Hears the output as it comes, up to the limit. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

/** A command that goes past one of them is ended, with all that it started. */
export interface CommandLimits {
  /** Of each of its two outputs. */
  readonly outputBytes?: number;
  /** Resident, of the whole tree. */
  readonly memoryBytes?: number;
  readonly processes?: number;
}

export interface CommandResult {
  /** Null when a signal ended it, from here or from outside: then nobody knows how far it came. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly endedBy: 'itself' | 'time-out' | 'interruption' | 'output' | 'memory' | 'processes';
}

type Watched = Pick<CommandResult, 'exitCode' | 'endedBy'> & { readonly output: Output };

/** So long a command that was killed may take to be gone; after that it hangs inside the kernel. */
const KILL_MS = 1_000;

/**
 * Runs commands as process groups of their own. Each is registered before it works and released when it has ended;
 * it dies with its worker, and is ended with all that it started by time-out, interruption or too much output.
 */
export class CommandRunner {
  constructor(
    private readonly registry: ProcessRegistry,
    private readonly place: { host: string; path: string },
  ) {}

  async run(command: Command): Promise<CommandResult> {
    if (process.platform !== 'linux') {
      throw new UserError(
        'PLATFORM_UNSUPPORTED',
        'Commands run on Linux only: run the worker there, or in a container.',
      );
    }
    command.signal.throwIfAborted();
    const { file, args, cwd, lease, purpose } = command;
    const env = { PATH: this.place.path, LANG: 'C.UTF-8', ...command.env };
    const child = new GatedChild({ file, args, cwd, env });
    const { pid, startTime } = await child.identity();
    const { projectId, workerId } = lease;
    const record = { host: this.place.host, workerId, projectId, purpose, pid, group: pid, startTime };
    try {
      if (!(await this.registry.register(record, lease))) throw new LeaseLost();
      child.letGo(markOf(record));
      const { exitCode, endedBy, output } = await this.watch(child, command, record);
      // What it left running may hold its output open.
      await this.close(child, record);
      const { isTooMuch, ...said } = await output.drained();
      return { exitCode, ...said, endedBy: endedBy === 'itself' && isTooMuch ? 'output' : endedBy };
    } catch (error) {
      await this.close(child, record);
      throw error;
    }
  }

  private async watch(child: GatedChild, command: Command, record: ProcessRecord): Promise<Watched> {
    let endedBy: CommandResult['endedBy'] = 'itself';
    let giveUp: (error: WorldError) => void = () => undefined;
    const stuck = new Promise<never>((_, reject) => (giveUp = reject));
    stuck.catch(() => undefined);
    let ending: Promise<void> | undefined;
    const end = (by: CommandResult['endedBy']): void => {
      if (ending) return;
      endedBy = by;
      ending = endGroup(record).catch(async (error: unknown) => {
        child.kill();
        await Promise.race([child.exited, systemClock.sleep(KILL_MS)]);
        giveUp(new WorldError(OUTCOME_UNKNOWN, `${command.purpose}: cannot be ended`, {}, { cause: error }));
      });
    };
    const output = child.gather(() => end('output'));
    const timer = setTimeout(() => end('time-out'), command.timeoutMs);
    const interrupted = (): void => end('interruption');
    command.signal.addEventListener('abort', interrupted, { once: true });
    if (command.signal.aborted) interrupted();
    try {
      const exitCode = await Promise.race([child.exited, stuck]);
      return { exitCode, endedBy, output };
    } finally {
      clearTimeout(timer);
      command.signal.removeEventListener('abort', interrupted);
      await ending;
    }
  }

  /**
   * The result counts, whatever fails here. A record stays until all that it stands for has ended; where that, or
   * telling the registry, does not succeed now, the sweep does it later.
   */
  private async close(child: GatedChild, record: ProcessRecord): Promise<void> {
    try {
      await endGroup(record);
      await this.registry.release(record);
    } catch {
      child.kill();
    }
  }
}
