import { readFileSync } from 'node:fs';
import { type CommandLimits, mostTasks } from '#process-monitor';
import type { SandboxedCommand } from './sandbox.port.js';

const GIB = 1024 ** 3;

const DEFAULT_LIMITS = { memoryBytes: 4 * GIB, processes: 512 } as const satisfies CommandLimits;
const MAX_FILE_BYTES = 2 * GIB;
const MAX_DISK_BYTES = 8 * GIB;
const MAX_OPEN_FILES = 16_384;

/** What the programs outside of the sandbox, between us and it, would obey too. These are set inside only. */
const ONLY_INSIDE = /^(?:PATH|IFS|ENV|BASH_ENV|SHELLOPTS|PS4|LD_.*|GLIBC_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*)$/;

/** The limits of a command, and those that every one has. */
export const limitsOf = ({
  writable,
  mounts = [],
  limits,
}: Pick<SandboxedCommand, 'writable' | 'mounts' | 'limits'>) => ({
  ...DEFAULT_LIMITS,
  disk: {
    folders: [...writable, ...mounts.filter(({ isWritable }) => isWritable).map(({ outside }) => outside)],
    bytes: MAX_DISK_BYTES,
  },
  ...limits,
});

export interface InnerCommand {
  /** Environment of all that leads to the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly limits: CommandLimits;
}

export interface InnerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Tasks that the same user has already, where they count too. */
  readonly tasksBefore?: number;
}

/** A command with limits of the kernel's own, hearing SIGTERM again, which those that keep its sandbox ignore. */
export function innerCommand(command: SandboxedCommand, { env, tasksBefore = 0 }: InnerOptions): InnerCommand {
  const limits = limitsOf(command);
  const all = Object.entries({ ...env, ...command.env });
  const inside = all.filter(([name]) => ONLY_INSIDE.test(name)).map(([name, value]) => `${name}=${value}`);
  const prlimit = [
    '--core=0',
    `--fsize=${String(MAX_FILE_BYTES)}`,
    `--nofile=${String(Math.min(MAX_OPEN_FILES, hardLimit('Max open files')))}`,
    `--nproc=${String(Math.min(mostTasks(limits.processes) + tasksBefore, hardLimit('Max processes')))}`,
  ];
  return {
    env: Object.fromEntries(all.filter(([name]) => !ONLY_INSIDE.test(name))),
    argv: [
      '/usr/bin/env', '--default-signal=TERM', ...inside, '/usr/bin/prlimit', ...prlimit, '--', command.file, ...command.args,
    ], // prettier-ignore
    limits,
  };
}

/** A limit cannot be raised, only lowered. */
function hardLimit(name: string): number {
  const line = readFileSync('/proc/self/limits', 'latin1').split('\n').find((one) => one.startsWith(name)); // prettier-ignore
  const hard = line?.slice(name.length).trim().split(/\s+/)[1];
  return hard === undefined || hard === 'unlimited' ? Infinity : Number(hard);
}

/** Those that keep a sandbox report a signal as shells do. Where we sent it, nobody knows how far the command came. */
export const exitCodeOf = (exitCode: number | null, endedBy: string): number | null =>
  endedBy !== 'itself' && exitCode !== null && exitCode > 128 ? null : exitCode;
