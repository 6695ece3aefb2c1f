import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '#persistence';
import { withDatabase } from './bench-database.js';
import { benchWorker, whileDriving } from './bench-worker.js';
import { checkpointBytes } from './bodies.js';
import { atMost, type Bench, type Figure } from './figure.js';
import { RawCommits } from './raw-commits.js';
import { median } from './stats.js';
import { stepMachine } from './step-machine.js';
import { createProjects } from './step-projects.js';

const WARM_UP_MS = 1_000;
const SLICE_MS = 1_000;
const ROUNDS = 5;

/** How long one project alone takes from one durable transition to the next, beside one raw commit. */
export const loneTransition: Bench = {
  name: 'lone-transition',
  run: () => withDatabase(measure),
};

async function measure(url: string): Promise<Figure[]> {
  const machine = stepMachine((project, step) => ({ project, step }));
  const pool = openPool({ url, max: 4, name: 'bench', onError: () => undefined });
  const project = await createProjects(pool, machine, 1);
  const driveFor = async (ms: number): Promise<number[]> => {
    const times: number[] = [];
    let last: number | null = null;
    const worker = benchWorker(pool, machine, () => {
      const now = performance.now();
      if (last !== null) times.push(now - last);
      last = now;
    });
    await whileDriving(worker, project, () => delay(ms));
    return times;
  };
  await driveFor(WARM_UP_MS);
  const raw = await RawCommits.open(url, 1, await checkpointBytes(pool));
  try {
    await raw.runFor(WARM_UP_MS);
    const medians = { engine: [] as number[], raw: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      medians.raw.push(median(await raw.runFor(SLICE_MS)));
      medians.engine.push(median(await driveFor(SLICE_MS)));
    }
    const measured = { name: 'lone-transition.p50', value: median(medians.engine), unit: 'ms' };
    return [atMost({ ...measured, baseline: median(medians.raw), note: 'baseline: one raw commit' }, 'ratio', 2)];
  } finally {
    await raw.close();
    await pool.end();
  }
}
