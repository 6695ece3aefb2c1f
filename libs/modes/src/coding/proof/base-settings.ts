import type { ActivityContext } from '#engine';
import { withTestSettings } from '#proof';
import { type CleanTree, packageOf, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import type { ChangedFiles } from './changed-files.js';

interface Wish {
  readonly commit: string;
  readonly baseline: Pick<VerifyReport, 'commands'>;
  readonly changed: Pick<ChangedFiles, 'manifests'>;
  /** Scripts that the base does not have stay: a check may be about one of them. */
  readonly keepsNewScripts?: true;
}

const SCRIPT = /^(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]+)$/;
const MOST_MANIFESTS = 50;

/** Changed manifests with the test settings of the base. What set-up installed is still of the result. */
export async function readBaseSettings(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline, changed, keepsNewScripts }: Wish,
): Promise<NonNullable<CleanTree['files']>> {
  if (changed.manifests.length === 0) return [];
  const verified = baseline.commands.flatMap(
    ({ command }) => SCRIPT.exec(packageOf(command)?.command ?? command)?.[1] ?? [],
  );
  return repeatable(activity, keepsNewScripts ? 'base-settings/checks' : 'base-settings', async () => {
    const textOf = async (at: string, path: string): Promise<string | null> =>
      (await worktrees.fileAt(worktree, at, path))?.content.toString('utf8') ?? null;
    const files: { path: string; content: string }[] = [];
    for (const path of [...new Set(changed.manifests)].slice(0, MOST_MANIFESTS)) {
      const base = await textOf(worktree.baseCommit, path);
      if (base === null) continue;
      const result = await textOf(commit, path);
      const content = withTestSettings(path, { base, result, verified, ...(keepsNewScripts && { keepsNewScripts }) });
      if (content !== null) files.push({ path, content });
    }
    return files;
  });
}
