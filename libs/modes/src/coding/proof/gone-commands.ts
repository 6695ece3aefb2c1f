import type { ActivityContext } from '#engine';
import { testsRun, type VerifyReport, type Worktree } from '#workspace';
import { listGoneCommands } from '../../shared/gone-commands.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';

export interface GoneCommands {
  /** They reported tests on the base. No words of a request excuse that these no longer run. */
  readonly lost: readonly string[];
  /** They reported no tests, such as a build. The request may ask for that. */
  readonly removed: readonly string[];
}

interface Wish {
  readonly commit: string;
  readonly baseline: VerifyReport;
  readonly result: VerifyReport;
}

type Ran = VerifyReport['commands'][number];

/**
 * Verify commands of the base that the result no longer has. One that still passes on the result is not gone: another
 * file may only name it otherwise, such as a new lock file of another package manager.
 */
export async function findGoneCommands(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline, result }: Wish,
): Promise<GoneCommands> {
  const names = listGoneCommands(result, baseline);
  const gone = baseline.commands.filter(
    (ran) => names.includes(ran.command) && !result.commands.some((now) => isSuccessor(ran, now)),
  );
  if (gone.length === 0) return { lost: [], removed: [] };
  const commands = gone.map(({ command }) => command);
  const again = await runInCleanRoom(parts, activity, worktree, { tree: { commit }, commands, step: 'gone-commands' });
  const left = gone.filter((ran) => !again.commands.some((now) => now.command === ran.command && runsAsWell(ran, now)));
  const of = (isLost: boolean) => left.filter((ran) => hasTests(ran) === isLost).map(({ command }) => command);
  return { lost: of(true), removed: of(false) };
}

/** The same tool of the same environment, called by another package manager or another Python. */
const isSuccessor = (ran: Ran, now: Ran): boolean =>
  toolOf(ran.command) === toolOf(now.command) && runsAsWell(ran, now);

const toolOf = (command: string): string =>
  command
    .replace(/(?<=^|&& )(?:npm|pnpm|yarn|bun)(?: run)? (?=[\w:.-]+$)/, '')
    .replace(/(?<=^|&& )(?:\S*\/)?python3? -m (?=\w)/, '')
    .trim();

const hasTests = ({ counts }: Ran): boolean => counts !== null && testsRun(counts) > 0;

const runsAsWell = (before: Ran, now: Ran): boolean =>
  now.exitCode === 0 &&
  now.endedBy === 'itself' &&
  (before.counts === null || (now.counts !== null && testsRun(now.counts) >= testsRun(before.counts)));
