import { access, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, WorldError } from '#kernel';
import type { Checkout } from './checkout.js';
import { PROCESS_MARK } from './names.js';
import { markOf } from './process-mark.js';

const WAIT_MS = 10_000;
const NAP_MS = 50;

/**
 * A worker that is killed leaves the gits that it had started. They end by themselves, soon; until then nobody else
 * may work in the folder.
 */
export async function outliveOthers(checkout: Checkout): Promise<void> {
  const deadline = systemClock.now() + WAIT_MS;
  while (await isOtherAtWork(checkout.projectId)) {
    if (systemClock.now() > deadline) {
      throw new WorldError('WORKTREE_BUSY', `a git of an earlier worker still works in ${checkout.folder}`);
    }
    await systemClock.sleep(NAP_MS);
  }
}

/** Takes away the locks that a killed git left on what is the project's alone. */
export async function removeStaleLocks(checkout: Checkout, branch?: string): Promise<void> {
  const { entry, view, refs } = checkout;
  const names = [refs.base, refs.start, refs.work, ...(branch === undefined ? [] : [`refs/heads/${branch}`])];
  const locks = [
    join(entry, 'index.lock'),
    join(entry, 'HEAD.lock'),
    ...names.map((name) => join(view, `${name}.lock`)),
  ];
  const isThere = await Promise.all(locks.map(exists));
  const held = locks.filter((_, nth) => isThere[nth]);
  if (held.length === 0) return;
  await outliveOthers(checkout);
  await Promise.all(held.map((lock) => rm(lock, { force: true })));
}

async function isOtherAtWork(projectId: string): Promise<boolean> {
  const [mark, own] = [`${PROCESS_MARK}=${projectId} `, `${PROCESS_MARK}=${markOf(projectId)}`];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  // Those that have just ended, and those of other users, cannot be read: neither is one of ours at work.
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')));
  return environments.some((environment) =>
    environment.split('\0').some((entry) => entry.startsWith(mark) && entry !== own),
  );
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
