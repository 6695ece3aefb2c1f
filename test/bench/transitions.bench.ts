import { withServer } from './bench-database.js';
import { atLeast, type Bench, type Figure } from './figure.js';
import { Fleet } from './fleet.js';
import { RawCommits } from './raw-commits.js';
import { median } from './stats.js';

const GOALS = [
  { projects: 16, ratio: 1, aim: 1.5 },
  { projects: 64, ratio: 1.5, aim: 2.5 },
];
const RAW_CLIENTS = 16;
const WARM_UP_MS = 4_000;
const SLICE_MS = 1_500;
const ROUNDS = 5;

/** Durable transitions per second of one worker, beside a raw loop; in turns, so that a noisy machine hurts both. */
export const transitions: Bench = {
  name: 'transitions',
  run: () =>
    withServer(async (newDatabase) => {
      // A database each: a worker would also drive whatever else it finds in its own.
      const fleets: Fleet[] = [];
      for (const { projects } of GOALS) fleets.push(await Fleet.open(await newDatabase(), projects));
      try {
        for (const fleet of fleets) await fleet.perSecond(WARM_UP_MS);
        return await besideRawCommits(await newDatabase(), fleets);
      } finally {
        for (const fleet of fleets) await fleet.close();
      }
    }),
};

async function besideRawCommits(url: string, fleets: readonly Fleet[]): Promise<Figure[]> {
  const raw = await RawCommits.open(url, RAW_CLIENTS);
  try {
    await raw.runFor(WARM_UP_MS);
    const rawRates: number[] = [];
    const rates = fleets.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      rawRates.push((await raw.runFor(SLICE_MS)).length / (SLICE_MS / 1_000));
      for (const [nth, fleet] of fleets.entries()) rates[nth]?.push(await fleet.perSecond(SLICE_MS));
    }
    return GOALS.map((goal, nth) => figureOf(goal, median(rates[nth] ?? []), median(rawRates)));
  } finally {
    await raw.close();
  }
}

function figureOf({ projects, ratio, aim }: (typeof GOALS)[number], value: number, baseline: number): Figure {
  const name = `transitions.${String(projects)}-projects`;
  const note = `baseline: ${String(RAW_CLIENTS)} clients, one statement and one commit each`;
  return atLeast({ name, value, unit: 'transitions/s', baseline, note }, 'ratio', ratio, aim);
}
