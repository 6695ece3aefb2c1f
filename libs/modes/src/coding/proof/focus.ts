import { z } from 'zod';
import type { ActivityContext } from '#engine';
import { focusedCommand } from '#proof';
import { isManifest, isTestConfiguration, isTestFile, type VerifyReport, type Worktree } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import { isDocumentFile } from './changed-files.js';
import { type FocusedCommand, isSlow, planFocus } from './plan-focus.js';

interface Wish {
  readonly commit: string;
  /** Tests that failed in the baseline. */
  readonly names: readonly string[];
  readonly baseline: VerifyReport | null;
}

/** Commands that run only these tests. Null if a runner cannot select them: then all verify commands run. */
export async function focusOn(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, names, baseline }: Wish,
): Promise<readonly string[] | null> {
  const wanted = (baseline ? failingTests(baseline) : []).filter(({ name }) => names.includes(name));
  const byCommand = Map.groupBy(wanted, ({ command }) => command);
  if (byCommand.size === 0) return null;
  const scripts = await readScripts(parts, activity, worktree, commit);
  const focused = [...byCommand].map(([command, tests]) =>
    focusedCommand(command, { scripts, failures: tests.map(({ name }) => name) }),
  );
  return focused.every((command) => command !== null) ? focused : null;
}

interface StepWish {
  /** Where the step began, and what it left. */
  readonly from: string;
  readonly commit: string;
  /** Baseline failures that the step has to settle. */
  readonly names: readonly string[];
  readonly baseline: VerifyReport;
}

/**
 * The tests that concern a step: failures that it settles, test files that it changed, and those that name a file that
 * it changed. Null if the whole suite has to run. Manifests and test settings bear on all tests.
 */
export async function focusOnStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, commit, names, baseline }: StepWish,
): Promise<readonly FocusedCommand[] | null> {
  const select = async (): Promise<readonly string[] | null> => {
    const { files } = await parts.worktrees.diff(worktree, from, commit);
    const paths = files.flatMap((file) => (file.from === null ? [file.path] : [file.path, file.from]));
    if (paths.some((path) => isManifest(path) || isTestConfiguration(path))) return null;
    const own = files.filter(({ path, status }) => status !== 'deleted' && isTestFile(path)).map(({ path }) => path);
    const sources = paths.filter((path) => !isDocumentFile(path));
    return [...new Set([...own, ...(await parts.worktrees.findTests(worktree, commit, sources))])];
  };
  // A fast suite runs as a whole: its files need no search.
  if (!isSlow(baseline)) return null;
  const files = await repeatable(activity, 'focus/files', async () => ({ found: await select() }));
  if (files.found === null) return null;
  const scripts = await readScripts(parts, activity, worktree, commit);
  return planFocus({ baseline, seen: baseline, names, files: files.found, scripts });
}

/** The scripts of a package.json, as a commit has it. */
export const readScripts = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
  folder = '',
): Promise<Record<string, string>> =>
  repeatable(activity, `scripts/${commit}${folder && `/${folder}`}`, async () => {
    const file = await worktrees.fileAt(worktree, commit, folder === '' ? 'package.json' : `${folder}/package.json`);
    return file ? scriptsIn(file.content.toString('utf8')) : {};
  });

const Manifest = z.looseObject({ scripts: z.record(z.string(), z.unknown()) });

/** The scripts of a package.json; none if it cannot be read. */
function scriptsIn(text: string): Record<string, string> {
  try {
    const read = Manifest.safeParse(JSON.parse(text));
    const scripts = read.success ? Object.entries(read.data.scripts) : [];
    return Object.fromEntries(
      scripts.flatMap(([name, script]) => (typeof script === 'string' ? [[name, script]] : [])),
    );
  } catch {
    return {};
  }
}
