import { z } from 'zod';
import type { ActivityContext } from '#engine';
import { focusedCommand } from '#proof';
import type { VerifyReport, Worktree } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';

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

/** The scripts of a commit's package.json. */
export const readScripts = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<Record<string, string>> =>
  repeatable(activity, `scripts/${commit}`, async () => {
    const file = await worktrees.fileAt(worktree, commit, 'package.json');
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
