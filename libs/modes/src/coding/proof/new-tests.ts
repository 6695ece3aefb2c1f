import type { ActivityContext } from '#engine';
import { failingTestFor, findUnrunTestFiles, isSilentRunner } from '#proof';
import { testNamesIn, testsRun, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';

/** Files that one step reads. */
const BATCH = 50;

interface Wish {
  readonly commit: string;
  readonly paths: readonly string[];
  readonly result: VerifyReport;
  /** The same commands on the base. */
  readonly baseline: Pick<VerifyReport, 'counts'>;
}

/** New test files that no verify command runs. */
export async function findUnrunFiles(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, paths, result, baseline }: Wish,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const files: { path: string; titles: string[] }[] = [];
  for (let at = 0; at < paths.length; at += BATCH) {
    const step = at === 0 ? 'new-tests' : `new-tests/${String(at)}`;
    const read = await repeatable(activity, step, async () => {
      const found: { path: string; titles: string[] }[] = [];
      for (const path of paths.slice(at, at + BATCH)) {
        const file = await parts.worktrees.fileAt(worktree, commit, path);
        found.push({ path, titles: [...testNamesIn(path, file?.content.toString('utf8') ?? '')] });
      }
      return found;
    });
    files.push(...read);
  }
  const before = baseline.counts ? testsRun(baseline.counts) : 0;
  const gained = result.counts ? testsRun(result.counts) - before : null;
  const outputs = result.commands.map(({ output }) => output);
  const unseen = findUnrunTestFiles({ files, outputs, gained });
  const unrun = isSilentRunner({ outputs, gained })
    ? await findIgnored(parts, activity, worktree, { commit, unseen, result })
    : unseen;
  return [...new Set([...unrun, ...findEmptyFiles(files, result.counts?.emptyFiles ?? [])])];
}

/** Files in which a runner found no test: a filter left the tests out, or the file ends before they begin. */
const findEmptyFiles = (
  files: readonly { readonly path: string; readonly titles: readonly string[] }[],
  empty: readonly string[],
): readonly string[] =>
  files
    .filter(({ titles }) => titles.length > 0)
    .map(({ path }) => path)
    .filter((path) => empty.some((name) => `/${path}`.endsWith(`/${name}`) || name.endsWith(`/${path}`)));

/** The most files that are tried. Each takes a run of the verify commands. */
const MOST_TRIED = 10;

/** Such commands may refuse the file, and run no test. */
const READS_ALL_FILES = /\b(?:build|lint|eslint|tsc|type-?check|check[-:]types|format|mypy|ruff)\b/;

interface Unseen {
  readonly commit: string;
  readonly unseen: readonly string[];
  readonly result: VerifyReport;
}

/** If no runner says which tests it runs, a file that fails by itself tells: the verify commands fail if one runs it. */
async function findIgnored(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, unseen, result }: Unseen,
): Promise<readonly string[]> {
  const passing = result.commands.filter(({ exitCode, endedBy }) => exitCode === 0 && endedBy === 'itself');
  const commands = passing.map(({ command }) => command).filter((command) => !READS_ALL_FILES.test(command));
  const ignored: string[] = [];
  for (const [index, path] of unseen.entries()) {
    const content = index < MOST_TRIED && commands.length > 0 ? failingTestFor(path) : null;
    const run = content !== null && {
      tree: { commit, files: [{ path, content }] },
      ...{ commands, step: `new-tests/failing-${String(index)}`, baseline: result },
    };
    const seen = run ? (await runInCleanRoom(parts, activity, worktree, run)).commands : [];
    const hasRun = seen.some(({ command, exitCode }) => commands.includes(command) && exitCode !== 0);
    if (!hasRun) ignored.push(path);
  }
  return ignored;
}
