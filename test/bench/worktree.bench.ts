import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { tempFolder } from '#testing';
import { GitWorktrees } from '#workspace';
import { atMost, beside, type Bench, type Figure } from './figure.js';
import { gitIn, makeManyFiles, MANY_FILES } from './many-files.js';
import { median } from './stats.js';

const ROUNDS = 5;
const LIMIT = 1.5;

/** A worktree of a repository with 20,000 files, ready to work in; and what keeping its files costs at each turn. */
export const worktree: Bench = {
  name: 'worktree',
  run: async () => {
    const folder = tempFolder('bench-worktree');
    try {
      return await measure(folder.path);
    } finally {
      await folder.remove();
    }
  },
};

async function measure(folder: string): Promise<Figure[]> {
  const repo = join(folder, 'repo');
  makeManyFiles(repo, (nth, file) => ({
    name: `file-${String(file)}.txt`,
    text: `line of file ${String(file)} in folder ${String(nth)}\n`.repeat(20),
  }));
  const git = gitIn(repo);
  const path = process.env['PATH'] ?? '';
  const worktrees = new GitWorktrees({ root: join(folder, 'worktrees'), path });
  const { signal } = new AbortController();
  const [plain, ours, unchanged, changed]: number[][] = [[], [], [], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bare = join(folder, `plain-${String(round)}`);
    const add = await took(async () => git('worktree', 'add', '-q', '-b', `plain-${String(round)}`, bare));
    git('worktree', 'remove', '--force', bare);
    const wish = { projectId: newId(), name: `${String(round + 1)}-bench`, repo, ref: 'main' };
    const opened = await took(() => worktrees.open(wish, signal));
    const made = await worktrees.open(wish, signal);
    const still = await took(() => worktrees.snapshot(made));
    writeFileSync(join(made.folder, 'folder-1', 'file-1.txt'), `changed in round ${String(round)}\n`);
    const kept = await took(() => worktrees.snapshot(made));
    await worktrees.remove(made);
    // The first round fills the caches of the machine for both.
    if (round === 0) continue;
    plain?.push(add);
    ours?.push(opened);
    unchanged?.push(still);
    changed?.push(kept);
  }
  const note = `${String(MANY_FILES)} files, median of ${String(ROUNDS)}; baseline: git worktree add`;
  const unit = 'ms';
  return [
    atMost(
      { name: 'worktree.open', value: median(ours ?? []), unit, baseline: median(plain ?? []), note },
      'ratio',
      LIMIT,
    ),
    beside({ name: 'worktree.snapshot.unchanged', value: median(unchanged ?? []), unit }),
    beside({ name: 'worktree.snapshot.changed', value: median(changed ?? []), unit }),
  ];
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
