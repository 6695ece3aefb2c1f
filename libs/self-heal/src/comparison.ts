import { failuresOf } from './failures-of.js';

/** What the verify commands said, as far as it is compared. */
export interface VerifyFacts {
  readonly verdict: 'passed' | 'failed' | 'unproven';
  readonly commands: readonly VerifiedFacts[];
}

export interface VerifiedFacts {
  readonly command: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** `itself`, or what ended it: a time-out, a limit. */
  readonly endedBy: string;
  readonly output: string;
  /** How many tests failed; null where no known runner reported. */
  readonly failed: number | null;
}

export interface Comparison {
  readonly isNoWorse: boolean;
  /** Failing tests that did not fail before, by name; for a command whose tests have no names, what became of it. */
  readonly newFailures: readonly string[];
  readonly oldFailures: readonly string[];
  /** The failing command to look at first; null where none fails. */
  readonly worst: { readonly command: string; readonly output: string } | null;
  /** It is no verify command that fails, but the check of a step. */
  readonly isCheck?: true;
  /** The files of the check that fails. Nobody printed them: they say nothing about what happened. */
  readonly checkFiles?: string;
}

interface Judged {
  readonly facts: VerifiedFacts;
  readonly added: readonly string[];
  readonly old: readonly string[];
}

/**
 * Whether a verification is no worse than the one before the first change. Commands are compared each with itself; with
 * no baseline, or none of a command, it is taken to have passed: what nobody saw failing is not excused.
 */
export function comparedTo(baseline: VerifyFacts | null, now: VerifyFacts): Comparison {
  const before = new Map(baseline?.commands.map((facts) => [facts.command, facts]));
  const failing = now.commands
    .filter(isFailing)
    .map((facts) => judged(facts, before.get(facts.command) ?? null))
    .sort((a, b) => b.added.length - a.added.length);
  const worst = failing[0]?.facts;
  const newFailures = failing.flatMap(({ added }) => added);
  return {
    isNoWorse: newFailures.length === 0,
    newFailures: [...new Set(newFailures)],
    oldFailures: [...new Set(failing.flatMap(({ old }) => old))],
    worst: worst ? { command: worst.command, output: worst.output } : null,
  };
}

const isSuccess = ({ exitCode, endedBy }: VerifiedFacts): boolean => exitCode === 0 && endedBy === 'itself';
/** A command may end well and yet report tests that failed. */
const isFailing = (facts: VerifiedFacts): boolean => !isSuccess(facts) || (facts.failed ?? 0) > 0;
const isCutShort = ({ exitCode, endedBy }: VerifiedFacts): boolean => endedBy !== 'itself' || exitCode === null;

function judged(facts: VerifiedFacts, before: VerifiedFacts | null): Judged {
  const names = failuresOf(facts.output);
  const hasFailed = before !== null && isFailing(before);
  const known = new Set(hasFailed ? failuresOf(before.output) : []);
  const added = names.filter((name) => !known.has(name));
  const old = names.filter((name) => known.has(name));
  const ended = worseEnd(facts, before, names.length > 0);
  if (ended !== null) return { facts, added: [`${facts.command}: ${ended}`, ...added], old };
  if (added.length > 0) return { facts, added, old };
  if (known.size > 0 && names.length === 0 && !isSuccess(facts)) {
    return { facts, added: [`${facts.command}: fails and no longer names its failing tests`], old };
  }
  const more = hasFailed ? moreThan(before, facts) : failsNow(facts);
  if (more !== null) return { facts, added: [`${facts.command}: ${more}`], old };
  return { facts, added: [], old: old.length > 0 ? old : [`${facts.command}: failed before too`] };
}

/** How a command ended worse than before, whatever its tests are called; null where it did not. */
function worseEnd(now: VerifiedFacts, before: VerifiedFacts | null, hasNames: boolean): string | null {
  if (isCutShort(now)) {
    if (before && isCutShort(before)) return null;
    return now.endedBy === 'itself' ? 'ended by a signal' : `ended by ${now.endedBy}`;
  }
  const ranBefore = before !== null && before.failed !== null;
  // Fewer failures than before would be no progress where the tests no longer run at all.
  return ranBefore && now.failed === null && !hasNames ? 'no longer says how its tests went' : null;
}

const failsNow = ({ exitCode, failed }: VerifiedFacts): string =>
  failed === null || failed === 0 ? `fails with exit code ${String(exitCode)}` : `${String(failed)} tests fail`;

/** Where names do not tell failures apart, more of them are worse: tests without names, or several of one name. */
function moreThan(before: VerifiedFacts, now: VerifiedFacts): string | null {
  const [then, today] = [before.failed ?? 1, now.failed ?? 1];
  return today > then ? `${String(today)} tests fail instead of ${String(then)}` : null;
}
