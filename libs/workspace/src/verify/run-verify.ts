import type { WorkPlace } from '../setup/work-place.js';
import { type CommandReport, endOf, isSuccess, runInWorktree, type ShellRight } from '../setup/worktree-shell.js';
import { parseTestCounts, sumOf, type TestCounts, testsRun } from './test-counts.js';

export interface VerifyWish extends ShellRight {
  readonly place: WorkPlace;
  readonly commands: readonly string[];
  /** For each command. */
  readonly timeoutMs: number;
}

export interface VerifiedCommand extends CommandReport {
  /** Null where no known runner reported. */
  readonly counts: TestCounts | null;
  /** It failed and said that it could not write; with dependencies that are read-only, `makeOwn` mends that. */
  readonly metReadOnly: boolean;
}

/**
 * - passed: every command succeeded, and at least one test ran
 * - failed: a command did not succeed
 * - unproven: every command succeeded, but nothing shows that a test ran, or one is said to have failed
 */
export type Verdict = 'passed' | 'failed' | 'unproven';

/** Plain data, fit to be journalled. */
export interface VerifyResult {
  readonly verdict: Verdict;
  /** Why, for a person. */
  readonly reason: string;
  readonly commands: readonly VerifiedCommand[];
  readonly counts: TestCounts | null;
}

const UNTOLD = 'go test does not say without -v whether any test ran: verify with go test -v';
/** Without being asked go names none of its tests, and one line stands for a package that skipped them all. */
const TALKATIVE = { GOFLAGS: '-v' };

const READ_ONLY = /EROFS|read-only file system/i;

/**
 * Runs all commands one after the other, also after one has failed: who mends wants to see everything that is broken.
 * Network there is none.
 */
export async function runVerify(wish: VerifyWish): Promise<VerifyResult> {
  const commands: VerifiedCommand[] = [];
  for (const command of wish.commands) {
    const { report, text } = await runInWorktree(wish.place, wish, {
      command,
      purpose: `verify: ${command}`.slice(0, 200),
      timeoutMs: wish.timeoutMs,
      network: 'none',
      env: TALKATIVE,
    });
    const metReadOnly = wish.place.readOnly.length > 0 && !isSuccess(report) && READ_ONLY.test(text);
    commands.push({ ...report, counts: parseTestCounts(text), metReadOnly });
  }
  return judged(commands);
}

export function judged(commands: readonly VerifiedCommand[]): VerifyResult {
  const known = commands.flatMap(({ counts }) => counts ?? []);
  const counts = known.length > 0 ? sumOf(known) : null;
  const because = (verdict: Verdict, reason: string): VerifyResult => ({ verdict, reason, commands, counts });
  const broken = commands.find((command) => !isSuccess(command));
  if (broken) return because('failed', `${broken.command}: ${endOf(broken)}`);
  if (commands.length === 0) return because('unproven', 'there is no verify command');
  if (counts === null) return because('unproven', 'no known test runner reported how many tests it ran');
  if (testsRun(counts) === 0) {
    const isUntold = counts.isMinimum === true;
    return because('unproven', isUntold ? UNTOLD : `no test ran${skippedWords(counts)}`);
  }
  if (counts.failed > 0) {
    return because('unproven', `every command succeeded, but ${counts.runner} reports ${String(counts.failed)} failed`);
  }
  return because(
    'passed',
    `${String(counts.passed)} ${counts.passed === 1 ? 'test' : 'tests'} passed${skippedWords(counts)}`,
  );
}

const skippedWords = ({ skipped }: TestCounts): string => (skipped > 0 ? `, ${String(skipped)} skipped` : '');
