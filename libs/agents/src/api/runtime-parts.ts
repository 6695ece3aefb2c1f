import type { Clock, Redactor, Trace } from '#kernel';
import type { ModelDesk } from '#models';
import type { Sandbox, SandboxedCommand, Worktree, Worktrees } from '#workspace';
import type { Notes } from '../notes/notes.port.js';
import type { ApiLimits } from './limits.js';
import type { PatternMatcher } from './search/pattern-matcher.js';

/** What an `api` agent runs on. */
export interface ApiRuntimeParts {
  readonly desk: ModelDesk;
  readonly worktrees: Pick<Worktrees, 'head' | 'snapshot' | 'reset' | 'mustHold'>;
  /** Of commands whose scene names none. */
  readonly sandbox: Sandbox;
  /** Where commands of a worktree run and what they may touch: HOME, caches, dependencies that are read-only. */
  readonly placeOf: (worktree: Worktree) => Promise<CommandPlace> | CommandPlace;
  /** What people say to agents while they work. */
  readonly notes: Notes;
  readonly redactor: Redactor;
  readonly trace: Trace;
  readonly clock: Clock;
  /** Epoch milliseconds: providers name the time of a reset by it. */
  readonly epochMs: () => number;
  readonly limits: ApiLimits;
  readonly matcher: PatternMatcher;
}

export type CommandPlace = Pick<SandboxedCommand, 'writable' | 'readable' | 'readOnly' | 'env'>;
