import { mkdir } from 'node:fs/promises';
import type { Lease } from '#engine';
import { assertNever, type Redactor } from '#kernel';
import type { CommandLimits, CommandResult } from '#process-monitor';
import type { Sandbox, SandboxedCommand } from '../sandbox/sandbox.port.js';
import { keptOutput } from './kept-output.js';
import { placeEnvironment, type WorkPlace } from './work-place.js';

/** Who runs commands, and under which right. */
export interface ShellRight {
  readonly sandbox: Sandbox;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly limits?: CommandLimits;
}

export interface ShellCommand {
  readonly command: string;
  readonly purpose: string;
  readonly timeoutMs: number;
  readonly network: SandboxedCommand['network'];
  readonly env?: Readonly<Record<string, string>>;
  readonly readable?: readonly string[];
}

/** One command and how it ended; plain data, fit to be journalled. */
export interface CommandReport {
  readonly command: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly endedBy: CommandResult['endedBy'];
  readonly durationMs: number;
  /** Both of its outputs in the order in which they came; the middle of a long one is left out. */
  readonly output: string;
}

/** Test runs may be talkative; whoever says more than this is ended. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

/** The command is an argument, not a part of this script: nothing in it can end the redirection. */
const BOTH_OUTPUTS_AS_ONE = 'exec sh -c "$1" 2>&1';

export const isSuccess = ({ exitCode, endedBy }: Pick<CommandReport, 'exitCode' | 'endedBy'>): boolean =>
  exitCode === 0 && endedBy === 'itself';

/**
 * Runs one shell command of the worktree in the sandbox. `text` is all that it said; throws the signal's reason when
 * the run was interrupted, because such a run has no result.
 */
export async function runInWorktree(
  place: WorkPlace,
  right: ShellRight,
  shell: ShellCommand,
): Promise<{ report: CommandReport; text: string }> {
  await mkdir(place.home, { recursive: true, mode: 0o700 });
  const since = performance.now();
  const { exitCode, endedBy, stdout, stderr } = await right.sandbox.run({
    file: 'sh',
    args: ['-c', BOTH_OUTPUTS_AS_ONE, 'sh', shell.command],
    cwd: place.folder,
    env: { ...placeEnvironment(place), ...shell.env },
    lease: right.lease,
    purpose: shell.purpose,
    timeoutMs: shell.timeoutMs,
    signal: right.signal,
    limits: { outputBytes: OUTPUT_BYTES, ...right.limits },
    writable: [place.folder, place.home, ...place.writable],
    readOnly: place.readOnly,
    readable: shell.readable ?? [],
    network: shell.network,
  });
  if (endedBy === 'interruption') right.signal.throwIfAborted();
  // The sandbox itself speaks on standard error, where it could not start the command.
  const text = stderr === '' ? stdout : `${stdout}${stderr}`;
  const durationMs = Math.round(performance.now() - since);
  const { output } = keptOutput(text, right.redactor);
  return { report: { command: shell.command, exitCode, endedBy, durationMs, output }, text };
}

/** How a command ended that did not succeed, in words. */
export function endOf({ exitCode, endedBy }: Pick<CommandReport, 'exitCode' | 'endedBy'>): string {
  switch (endedBy) {
    case 'itself':
      return exitCode === null ? 'ended by a signal from outside' : `exit code ${String(exitCode)}`;
    case 'time-out':
      return 'ended after its time-out';
    case 'interruption':
      return 'interrupted';
    case 'output':
      return 'ended because of too much output';
    case 'memory':
      return 'ended because of too much memory';
    case 'processes':
      return 'ended because of too many processes';
    case 'disk':
      return 'ended because it filled too much of the disk, or next to nothing was left of it';
    default:
      return assertNever(endedBy);
  }
}
