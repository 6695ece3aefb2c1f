import type { Lease } from '#engine';
import { errorMessage, WorldError } from '#kernel';
import type { CommandRunner } from '#process-monitor';

/** Commands of the service's own, outside of the sandbox: on paths and with arguments that it made itself. */
export interface OutsideCommands {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

interface Outside {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly purpose: string;
  readonly env?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 600_000;

/** Its output; an error with its words where it did not succeed. An interruption is thrown as that. */
export async function runOutside(outside: OutsideCommands, command: Outside): Promise<string> {
  const { commands, lease, signal } = outside;
  const { exitCode, endedBy, stdout, stderr } = await commands.run({
    ...command,
    timeoutMs: TIMEOUT_MS,
    lease,
    signal,
  });
  if (endedBy === 'interruption') signal.throwIfAborted();
  if (exitCode === 0 && endedBy === 'itself') return stdout;
  throw new CommandFailed(`${command.purpose}: ${firstLines(stderr) || `ended by ${endedBy}, ${String(exitCode)}`}`);
}

/** Thrown when a command of the service's own did not succeed. */
export class CommandFailed extends WorldError {
  constructor(message: string) {
    super('COMMAND_FAILED', message);
  }
}

export const reasonOf = (error: unknown): string => errorMessage(error).slice(0, 500);

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 3).join('; ').slice(0, 400);
