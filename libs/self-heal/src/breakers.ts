import type { HealProblem } from '#contracts';

export interface BreakerFacts {
  /** Of the error at hand. */
  readonly signature: string;
  /** All of the project, with the one at hand or before it is opened. */
  readonly problems: readonly HealProblem[];
  /** Processes that outlived what they were started for. */
  readonly orphans: number;
  readonly limits?: BreakerLimits;
}

export interface BreakerLimits {
  readonly recurrences?: number;
  readonly orphans?: number;
}

export interface TrippedBreaker {
  readonly name: 'signature' | 'orphans';
  readonly message: string;
}

const RECURRENCES = 3;
const ORPHANS = 3;

/** What forbids another attempt; null where nothing does. Tokens and money are the ledger's to watch. */
export function trippedBreaker({ signature, problems, orphans, limits }: BreakerFacts): TrippedBreaker | null {
  const times = timesMet(signature, problems);
  if (times >= (limits?.recurrences ?? RECURRENCES)) {
    return { name: 'signature', message: `the same error came up ${String(times)} times in this project` };
  }
  return tooManyOrphans(orphans, limits);
}

export function tooManyOrphans(orphans: number, limits?: BreakerLimits): TrippedBreaker | null {
  if (orphans < (limits?.orphans ?? ORPHANS)) return null;
  return {
    name: 'orphans',
    message: `${String(orphans)} processes still run although the command that started them has ended`,
  };
}

/**
 * How often the error has come up: once for each problem that it opened, and once more each time it came back after an
 * attempt that was recorded as its fix. Attempts that merely failed with it again are the ladder's to count.
 */
function timesMet(signature: string, problems: readonly HealProblem[]): number {
  const same = problems.filter((problem) => problem.signature === signature);
  const isOpen = same.some(({ status }) => status === 'open');
  return same.reduce((sum, problem) => sum + 1 + returnsOf(problem), isOpen ? 0 : 1);
}

function returnsOf({ attempts, status }: HealProblem): number {
  const fixes = attempts.filter(({ outcome }) => outcome === 'fixed').length;
  return Math.max(0, status === 'fixed' ? fixes - 1 : fixes);
}
