import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '#persistence';
import { withDatabase } from './bench-database.js';
import { benchWorker, whileDriving } from './bench-worker.js';
import { checkpointBytes } from './bodies.js';
import { atLeast, type Bench, type Figure } from './figure.js';
import { RawCommits } from './raw-commits.js';
import { median } from './stats.js';
import { stepMachine } from './step-machine.js';
import { createProjects } from './step-projects.js';

const GOALS = [
  { projects: 16, ratio: 1, aim: 1.5 },
  { projects: 64, ratio: 1.5, aim: 2.5 },
];
const RAW_CLIENTS = 16;
const WARM_UP_MS = 1_000;
const SLICE_MS = 1_500;
const ROUNDS = 5;

/** Durable transitions per second of one worker, beside a raw loop; in turns, so that a noisy machine hurts both. */
export const transitions: Bench = {
  name: 'transitions',
  run: () => withDatabase(measure),
};

async function measure(url: string): Promise<Figure[]> {
  const machine = stepMachine((project, step) => ({ project, step }));
  const pool = openPool({ url, max: 8, name: 'bench', onError: () => undefined });
  let committed = 0;
  const fleets = await Promise.all(GOALS.map(async ({ projects }) => createProjects(pool, machine, projects)));
  const perSecond = (projects: readonly string[], ms: number): Promise<number> => {
    const worker = benchWorker(pool, machine, () => (committed += 1));
    return whileDriving(worker, projects, async () => {
      await delay(WARM_UP_MS / 4);
      const before = committed;
      const since = performance.now();
      await delay(ms);
      return ((committed - before) / (performance.now() - since)) * 1_000;
    });
  };
  for (const fleet of fleets) await perSecond(fleet, WARM_UP_MS);
  const raw = await RawCommits.open(url, RAW_CLIENTS, await checkpointBytes(pool));
  try {
    await raw.runFor(WARM_UP_MS);
    const rawRates: number[] = [];
    const rates = GOALS.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      rawRates.push((await raw.runFor(SLICE_MS)).length / (SLICE_MS / 1_000));
      for (const [nth, fleet] of fleets.entries()) rates[nth]?.push(await perSecond(fleet, SLICE_MS));
    }
    return GOALS.map(({ projects, ratio, aim }, nth) =>
      atLeast(
        {
          name: `transitions.${String(projects)}-projects`,
          value: median(rates[nth] ?? []),
          unit: 'transitions/s',
          baseline: median(rawRates),
          note: `baseline: ${String(RAW_CLIENTS)} clients, one statement and one commit each`,
        },
        'ratio',
        ratio,
        aim,
      ),
    );
  } finally {
    await raw.close();
    await pool.end();
  }
}
