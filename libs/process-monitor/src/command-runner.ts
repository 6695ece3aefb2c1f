import { access, constants } from 'node:fs/promises';
import { constants as os, setPriority } from 'node:os';
import { LeaseLost } from '#engine';
import { OUTCOME_UNKNOWN, systemClock, UserError, WorldError } from '#kernel';
import type { Command, CommandResult } from './command.js';
import { DiskWatch } from './disk-watch.js';
import { endGroup, GRACE_MS } from './end-group.js';
import { GatedChild, notStarted } from './gated-child.js';
import { KilledProcesses } from './killed-processes.js';
import { LimitWatch } from './limit-watch.js';
import type { Output } from './output.js';
import type { GivenUp } from './left-behind.js';
import type { ProcessRecord, ProcessRegistry } from './process-registry.port.js';
import { markOf } from './run-mark.js';
import { hasRunOutOfMemory, putUnderCeiling, removeCeiling } from './task-ceiling.js';

type EndedBy = CommandResult['endedBy'];
type Watched = Pick<CommandResult, 'exitCode' | 'endedBy'> & {
  readonly output: Output;
  readonly seen: Map<number, string>;
};

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** So long a command that was killed may take to be gone; after that it hangs inside the kernel. */
const KILL_MS = 1_000;

/** What has limits may use a machine to the full, but not against the service, which has to see to the limits. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, os.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is gone, as its exit will say.
  }
}

/** What grows beyond its measure is not asked to tidy up: it would grow on meanwhile. */
const graceOf = (by: EndedBy): number => (['memory', 'processes', 'disk'].includes(by) ? 0 : GRACE_MS);

/**
 * Runs commands as process groups of their own. Each is registered before it works and released when it has ended;
 * it dies with its worker, and is ended with all that it started by time-out, interruption, or one of
 * its limits.
 */
export class CommandRunner {
  /** What could not be ended, or not struck off, with whom else it was seen to consist of: the sweep goes on with it. */
  readonly givenUp: GivenUp = new Map();
  readonly killed = new KilledProcesses();

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
    const { file, args, cwd, lease, purpose, stdinFile = '/dev/null' } = command;
    await access(stdinFile, constants.R_OK).catch((error: unknown) => {
      throw notStarted(error);
    });
    const env = { PATH: this.place.path, LANG: 'C.UTF-8', ...command.env };
    const child = new GatedChild({ file, args, cwd, env, stdinFile });
    const { pid, startTime } = await child.identity();
    const { projectId, workerId } = lease;
    const record = { host: this.place.host, workerId, projectId, purpose, pid, group: pid, startTime };
    let seen: Map<number, string> | undefined;
    try {
      // It works on nothing before it is let go: neither has to wait for the other.
      const [isRegistered] = await Promise.all([
        this.registry.register(record, lease),
        putUnderCeiling(record, command.limits ?? {}),
      ]);
      if (!isRegistered) throw new LeaseLost();
      if (command.limits) giveWay(pid);
      const disk = command.limits?.disk ? await DiskWatch.open(command.limits.disk) : null;
      child.letGo(markOf(record));
      const { exitCode, endedBy, output, ...watched } = await this.watch(child, command, record, disk);
      ({ seen } = watched);
      // What it left running may hold its output open.
      await this.close(child, record, endedBy, seen);
      const { isTooMuch, ...said } = await output.drained();
      return { exitCode, ...said, endedBy: endedBy === 'itself' && isTooMuch ? 'output' : endedBy };
    } catch (error) {
      await this.close(child, record, 'interruption', seen);
      throw error;
    }
  }

  private async watch(
    child: GatedChild,
    command: Command,
    record: ProcessRecord,
    disk: DiskWatch | null,
  ): Promise<Watched> {
    let endedBy: EndedBy = 'itself';
    let giveUp: (error: WorldError) => void = () => undefined;
    const stuck = new Promise<never>((_, reject) => (giveUp = reject));
    stuck.catch(() => undefined);
    let ending: Promise<void> | undefined;
    const end = (by: EndedBy): void => {
      if (ending) return;
      endedBy = by;
      ending = endGroup(record, graceOf(by), { seen: limits.seen, isOwnChild: true }).catch(async (error: unknown) => {
        child.kill();
        await Promise.race([child.exited, systemClock.sleep(KILL_MS)]);
        giveUp(new WorldError(OUTCOME_UNKNOWN, `${command.purpose}: cannot be ended`, {}, { cause: error }));
      });
    };
    const limits = new LimitWatch(record, command.limits ?? {}, end, disk);
    const maxBytes = command.limits?.outputBytes ?? MAX_OUTPUT_BYTES;
    const output = child.gather({ maxBytes, tooMuch: () => end('output'), onOutput: command.onOutput });
    const timer = setTimeout(() => end('time-out'), command.timeoutMs);
    const interrupted = (): void => end('interruption');
    command.signal.addEventListener('abort', interrupted, { once: true });
    if (command.signal.aborted) interrupted();
    try {
      const exitCode = await Promise.race([child.exited, stuck]);
      // The kernel may have been first, and the command has ended of what it lost.
      if (endedBy === 'itself' && hasRunOutOfMemory(record)) endedBy = 'memory';
      if (endedBy === 'itself' && (await disk?.hasTakenTooMuch())) endedBy = 'disk';
      return { exitCode, endedBy, output, seen: limits.seen };
    } finally {
      limits.stop();
      clearTimeout(timer);
      command.signal.removeEventListener('abort', interrupted);
      await ending;
    }
  }

  /**
   * The result counts, whatever fails here. A record stays until all that it stands for has ended; where that, or
   * telling the registry, does not succeed now, the sweep does it later.
   */
  private async close(
    child: GatedChild,
    record: ProcessRecord,
    endedBy: EndedBy,
    seen: Map<number, string> = new Map(),
  ): Promise<void> {
    let killed = 0;
    try {
      await endGroup(record, graceOf(endedBy), { seen, isOwnChild: true, onKill: (processes) => (killed = processes) });
      if (endedBy === 'itself') this.killed.add(record.projectId, killed);
      removeCeiling(record);
      await this.registry.release(record);
      this.givenUp.delete(record);
    } catch {
      child.kill();
      this.givenUp.set(record, seen);
    }
  }
}
