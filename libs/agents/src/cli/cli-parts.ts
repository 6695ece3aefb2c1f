import type { Clock, SecretBook, Trace } from '#kernel';
import type { ModelDesk } from '#models';
import type { Sandbox, Worktree, Worktrees } from '#workspace';
import type { CommandPlace } from '../api/runtime-parts.js';
import type { Notes } from '../notes/notes.port.js';
import type { Proxy } from '../proxy/index.js';

export interface CliLimits {
  /** The longest silence: of its output, and of the calls it makes. Its own commands may take a while. */
  readonly idleMs: number;
  /** A provider that asks to wait for longer ends the run; the project waits instead. */
  readonly patienceMs: number;
  /**
   * So many calls that the provider failed in a row end the run: one more than `claude` and `codex` are told to make of
   * one call. Others try for ever, and what is cut off each time may be paid each time.
   */
  readonly failuresInRow: number;
  /** Or failures for so long, however few: a provider may take minutes to fail. The project can wait for it cheaper. */
  readonly failingMs: number;
  /** What a CLI gets to end by itself that may make no more calls. */
  readonly graceMs: number;
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly processes: number;
}

export const CLI_LIMITS: CliLimits = {
  idleMs: 900_000,
  patienceMs: 60_000,
  failuresInRow: 5,
  failingMs: 300_000,
  graceMs: 15_000,
  outputBytes: 64 * 1024 * 1024,
  memoryBytes: 8 * 1024 ** 3,
  processes: 512,
};

/** What a CLI agent runs on. */
export interface CliParts {
  /** Where CLIs are looked for. */
  readonly path: string;
  readonly proxy: Pick<Proxy, 'admit' | 'refusal' | 'wireOf'>;
  readonly desk: Pick<ModelDesk, 'candidates'>;
  readonly worktrees: Pick<Worktrees, 'snapshot' | 'reset' | 'head'>;
  /** Of runs whose scene names none. */
  readonly sandbox: Sandbox;
  /** What commands of a worktree may touch beside it. */
  readonly placeOf: (worktree: Worktree) => Promise<CommandPlace> | CommandPlace;
  /** Where each run gets a folder of its own, and where what CLIs printed is kept. */
  readonly folder: string;
  readonly transcripts: string;
  /** What people say to agents while they work. */
  readonly notes: Notes;
  readonly secrets: SecretBook;
  readonly trace: Trace;
  readonly clock: Clock;
  readonly epochMs: () => number;
  readonly limits: CliLimits;
}
