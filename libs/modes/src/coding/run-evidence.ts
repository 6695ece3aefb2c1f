import type { ActivityContext } from '#engine';
import { testsRun, type Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { runInCleanRoom } from '../shared/verification.js';
import type { CodingParts } from './coding-context.js';
import type { Evidence } from './scenario.js';

const LONGEST_OUTPUT = 4_000;

interface Wish {
  readonly worktree: Worktree;
  /** What it runs on, and the tree of that. */
  readonly commit: string;
  readonly tree: string;
  readonly command: string;
  readonly step: string;
  /** The type of the event that reports it. */
  readonly event: string;
}

/** Runs the command of a scenario or check on one commit, in the clean room. */
export async function gatherEvidence(
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, commit, tree, command, step, event }: Wish,
): Promise<Evidence> {
  const { commands, reason } = await runInCleanRoom(parts, activity, worktree, {
    tree: { commit },
    commands: [command],
    step,
  });
  const ran = commands[0] ?? { exitCode: null, endedBy: 'nothing', output: reason, counts: null, durationMs: 0 };
  const { exitCode, endedBy, output, counts, durationMs: ms } = ran;
  await repeatable(activity, `${step}/told`, async (run) => {
    run.tell(event, { command: command.slice(0, 500), exitCode, endedBy, tree, ms });
  });
  const tests = counts && { tests: { passed: counts.passed, failed: counts.failed } };
  return { command, exitCode, endedBy, output: output.slice(-LONGEST_OUTPUT), tree, ...tests };
}

/** A runner whose filter matches nothing exits with 0; so does a script that loses the exit code of its tests. */
export function doubtAboutTests(tests: NonNullable<Evidence['tests']>): string | null {
  if (testsRun({ ...tests, skipped: 0 }) === 0) return 'no test ran';
  return tests.failed > 0 ? `tests failed: ${String(tests.failed)}` : null;
}
