import type { ActivityContext } from '#engine';
import { packageOf, type VerifyReport, type Worktree } from '#workspace';
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
  const asBefore = async (command: string): Promise<string> => {
    const inside = packageOf(command);
    const name = SCRIPT.exec(inside?.command ?? command)?.[1] ?? '';
    const folder = inside?.folder ?? '';
    const script = (await readScripts(parts, activity, worktree, worktree.baseCommit, folder))[name];
    const now = (await readScripts(parts, activity, worktree, commit, folder))[name];
    return script === undefined || script === now ? command : asScript(script, inside?.folder ?? null);
  };
  const old: string[] = [];
  for (const command of commands) old.push(await asBefore(command));
  return old;
}

const BINARIES = 'PATH="$PWD/node_modules/.bin:$PATH"; export PATH';

/** Package managers put the binaries of the dependencies first, those of a package before those of the root. */
const asScript = (script: string, folder: string | null): string =>
  folder === null ? `${BINARIES}; ${script}` : `${BINARIES}; cd ${folder} && ${BINARIES}; ${script}`;
