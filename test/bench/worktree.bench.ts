import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { tempFolder } from '#testing';
import { GitWorktrees } from '#workspace';
import { atMost, beside, type Bench, type Figure } from './figure.js';
import { median } from './stats.js';

const FOLDERS = 200;
const FILES_PER_FOLDER = 100;
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
  const git = gitIn(repo);
  makeRepository(repo, git);
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
  const files = FOLDERS * FILES_PER_FOLDER;
  const note = `${String(files)} files, median of ${String(ROUNDS)}; baseline: git worktree add`;
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

const gitIn =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

function makeRepository(repo: string, git: (...args: string[]) => string): void {
  mkdirSync(repo);
  git('init', '-q', '-b', 'main');
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(repo, `folder-${String(folder)}`));
    for (let file = 0; file < FILES_PER_FOLDER; file += 1) {
      const name = join(repo, `folder-${String(folder)}`, `file-${String(file)}.txt`);
      writeFileSync(name, `line of file ${String(file)} in folder ${String(folder)}\n`.repeat(20));
    }
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'files');
  git('repack', '-q', '-a', '-d');
}
