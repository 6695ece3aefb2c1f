import type { WorkPlace } from './work-place.js';
import { isSuccess, runInWorktree, type ShellRight } from './worktree-shell.js';

const TIMEOUT_MS = 30_000;

/** An environment's interpreter is a link to one of the machine's, which the sandbox may not show. */
export async function startsInSandbox(place: WorkPlace, right: ShellRight): Promise<boolean> {
  const { report } = await runInWorktree(place, right, {
    command: '.venv/bin/python -c ""',
    purpose: 'try the brought-in environment',
    timeoutMs: TIMEOUT_MS,
    network: 'none',
  });
  return isSuccess(report);
}
