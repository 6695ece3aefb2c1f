import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { CommandRunner, type ProcessRegistry } from '#process-monitor';
import { tempFolder } from '#testing';
import { bringIn, detectSetup } from '#workspace';
import { atMost, beside, type Bench, type Figure } from './figure.js';
import { median } from './stats.js';

/** As large installations are: many small files in many folders. */
const PACKAGES = 1_000;
const FILES_PER_PACKAGE = 20;
const FILE_BYTES = 15_000;
const ROUNDS = 5;

const nobody: ProcessRegistry = {
  register: async () => true,
  release: async () => undefined,
  ofProject: async () => [],
  onHost: async () => [],
};

/** A 300 MB `node_modules` of the user's checkout in a worktree, beside `cp -al` of the same tree. */
export const bringInBench: Bench = {
  name: 'bring-in',
  run: async () => {
    const folder = tempFolder('bench-bring-in');
    try {
      return await measure(folder.path);
    } finally {
      await folder.remove();
    }
  },
};

async function measure(root: string): Promise<Figure[]> {
  const [checkout, worktree, linked] = ['checkout', 'worktree', 'linked'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  makeCheckout(checkout);
  mkdirSync(worktree);
  for (const file of ['package.json', 'package-lock.json']) {
    execFileSync('cp', [join(checkout, file), join(worktree, file)]);
  }
  const times = { own: [] as number[], cp: [] as number[] };
  let method = '';
  for (let round = 0; round <= ROUNDS; round += 1) {
    const cp = await seconds(async () => execFileSync('cp', ['-al', join(checkout, 'node_modules'), linked]));
    const own = await seconds(async () => (method = await bring(checkout, worktree)));
    rmSync(linked, { recursive: true });
    rmSync(join(worktree, 'node_modules'), { recursive: true });
    // The first round reads the folders from disk for both.
    if (round === 0) continue;
    times.own.push(own);
    times.cp.push(cp);
  }
  const unit = 's';
  const baseline = median(times.cp);
  const note = `${method} of ${String(PACKAGES * FILES_PER_PACKAGE)} files, 300 MB, checked against the lock file; baseline: cp -al`;
  const slowest = { name: 'bring-in.slowest', value: Math.max(...times.own), unit, baseline: Math.max(...times.cp) };
  return [
    atMost({ name: 'bring-in.node-modules', value: median(times.own), unit, baseline, note }, 'ratio', 1.5),
    beside({ ...slowest, note: 'the slowest of both' }),
  ];
}

async function bring(checkout: string, worktree: string): Promise<string> {
  const [setup] = await detectSetup(worktree);
  if (!setup || setup.folder === null) throw new Error('nothing was detected');
  const commands = new CommandRunner(nobody, { host: 'bench', path: '/usr/local/bin:/usr/bin:/bin' });
  const lease = { projectId: newId(), workerId: 'bench', epoch: 1 };
  const outside = { commands, lease, signal: new AbortController().signal };
  const wish = { setup: { ...setup, folder: setup.folder }, checkout, worktree, mayHardLink: true, outside };
  const outcome = await bringIn(wish);
  if (!('broughtIn' in outcome)) throw new Error(outcome.reason);
  return outcome.broughtIn.method;
}

/** A checkout as `npm ci` leaves it: the packages, and npm's record of them. */
function makeCheckout(checkout: string): void {
  const packages: Record<string, { version: string }> = {};
  for (let nth = 0; nth < PACKAGES; nth += 1) {
    const path = `node_modules/${nth % 4 === 0 ? '@scope/' : ''}package-${String(nth)}`;
    packages[path] = { version: '1.0.0' };
    mkdirSync(join(checkout, path, 'lib'), { recursive: true });
    for (let file = 0; file < FILES_PER_PACKAGE; file += 1) {
      const name = file % 2 === 0 ? `lib/file-${String(file)}.js` : `file-${String(file)}.js`;
      writeFileSync(join(checkout, path, name), randomBytes(FILE_BYTES));
    }
  }
  writeFileSync(join(checkout, 'package.json'), '{}');
  const lock = { lockfileVersion: 3, packages };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ ...lock, packages: { '': {}, ...packages } }));
  writeFileSync(join(checkout, 'node_modules/.package-lock.json'), JSON.stringify(lock));
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}
