import type { ActivityContext } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import type { ChangedFiles } from './changed-files.js';
import { readScripts } from './focus.js';

interface Wish {
  readonly commit: string;
  readonly baseline: VerifyReport;
  readonly changed: ChangedFiles;
}

const SCRIPT = /^(?:npm|pnpm|yarn)(?: run)? ([\w:.-]+)$/;

/** The verify commands as the base has them: a script that the change rewrote runs in its old form. */
export async function baseCommands(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline, changed }: Wish,
): Promise<readonly string[]> {
  const commands = baseline.commands.map(({ command }) => command);
  if (!changed.touchesManifests) return commands;
  const before = await readScripts(parts, activity, worktree, worktree.baseCommit);
  const after = await readScripts(parts, activity, worktree, commit);
  return commands.map((command) => {
    const name = SCRIPT.exec(command)?.[1] ?? '';
    const script = before[name];
    return script === undefined || script === after[name] ? command : asScript(script);
  });
}

/** Package managers put the binaries of the dependencies first. */
const asScript = (script: string): string => `PATH="$PWD/node_modules/.bin:$PATH"; export PATH; ${script}`;
