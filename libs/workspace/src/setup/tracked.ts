import { type OutsideCommands, runOutside } from './bring-in/outside-command.js';

const ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
};

/** Whether the commit holds this folder: then it is the repository's own, and nobody's to replace. */
export async function isTracked(worktree: string, folder: string, outside: OutsideCommands): Promise<boolean> {
  const listed = await runOutside(outside, {
    file: 'git',
    // The service may run as another user than the owner of the repository.
    args: ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*', 'ls-tree', '--name-only', 'HEAD', '--', folder],
    cwd: worktree,
    purpose: 'look for dependencies in the repository',
    env: ENVIRONMENT,
  });
  return listed.trim() !== '';
}
