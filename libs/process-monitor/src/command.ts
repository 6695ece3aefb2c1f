import type { Lease } from '#engine';

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
  /** Of each of its two outputs; 1 MiB where unset. */
  readonly outputBytes?: number;
  /** Of the whole tree: resident, and in files that lie in memory. */
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly disk?: DiskLimit;
}

export interface DiskLimit {
  /** Where it may write. Those that are not there count for nothing. */
  readonly folders: readonly string[];
  /** Most that its files may take there, on each file system. */
  readonly bytes: number;
}

export interface CommandResult {
  /** Null when a signal ended it, from here or from outside: then nobody knows how far it came. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly endedBy: 'itself' | 'time-out' | 'interruption' | 'output' | 'memory' | 'processes' | 'disk';
}
