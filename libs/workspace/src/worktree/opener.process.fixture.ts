import { GitWorktrees } from './git-worktrees.js';
import { writeFiles } from './write-files.fixture.js';

/** Opens a worktree, works in it and goes back, again and again, until it is killed. */
const [root = '', path = '', projectId = '', name = '', repo = ''] = process.argv.slice(2);
const worktrees = new GitWorktrees({ root, path });
process.stdout.write('at work\n');
for (let turn = 0; ; turn += 1) {
  const worktree = await worktrees.open({ projectId, name, repo, ref: 'main' }, new AbortController().signal);
  writeFiles(worktree.folder, { 'a.txt': `turn ${String(turn)}\n`, [`made/${String(turn)}`]: 'x' });
  const snapshot = await worktrees.snapshot(worktree);
  await worktrees.reset(worktree, worktree.baseCommit);
  await worktrees.reset(worktree, snapshot);
  await worktrees.remove(worktree);
}
