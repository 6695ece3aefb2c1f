import type { z } from 'zod';
import type { Redactor } from '#kernel';
import type { CommandResult } from '#process-monitor';
import type { ApiLimits } from '../limits.js';
import type { PatternMatcher } from '../search/pattern-matcher.js';

/** What the tools of one turn work with. */
export interface ToolScene {
  /** The worktree's folder. */
  readonly root: string;
  readonly limits: ApiLimits;
  readonly redactor: Redactor;
  readonly matcher: PatternMatcher;
  readonly signal: AbortSignal;
  /** Time that tools take, in milliseconds of no particular beginning. */
  readonly now: () => number;
  readonly shell: (command: string, timeoutMs: number) => Promise<CommandResult>;
}

export interface ToolSaid {
  /** Redacted, and within the limit of one result. */
  readonly text: string;
  readonly isError?: boolean;
  /** The file that it wrote, by its names below the worktree, and a hash of it as it is now. */
  readonly wrote?: { readonly path: string; readonly hash: string };
  /** Whether files of the worktree may be other than before, nobody knows which. */
  readonly mayHaveChanged?: boolean;
}

/**
 * One thing that an agent can do. A call that cannot be done as asked throws ToolRefusal, or says so; any other
 * exception is the machine's fault.
 */
export interface Tool<T = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<T>;
  /** reads: any number side by side · writes: one after the other */
  readonly kind: 'reads' | 'writes' | 'runs' | 'ends';
  /** What a call is about, for people: a path, a pattern, a command. */
  readonly about: (input: T) => string;
  readonly use: (input: T, scene: ToolScene) => Promise<ToolSaid>;
}

export const defineTool = <T>(tool: Tool<T>): Tool => tool as Tool;
