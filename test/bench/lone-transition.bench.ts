import { withServer } from './bench-database.js';
import { atMost, type Bench, type Figure } from './figure.js';
import { Fleet } from './fleet.js';
import { RawCommits } from './raw-commits.js';
import { median } from './stats.js';

const WARM_UP_MS = 4_000;
const SLICE_MS = 1_000;
const ROUNDS = 5;

/** How long one project alone takes from one durable transition to the next, beside one raw commit. */
export const loneTransition: Bench = {
  name: 'lone-transition',
  run: () =>
    withServer(async (newDatabase) => {
      const lone = await Fleet.open(await newDatabase(), 1);
      const raw = await RawCommits.open(await newDatabase(), 1);
      try {
        return await inTurns(lone, raw);
      } finally {
        await raw.close();
        await lone.close();
      }
    }),
};

async function inTurns(lone: Fleet, raw: RawCommits): Promise<Figure[]> {
  await lone.timesBetween(WARM_UP_MS);
  await raw.runFor(WARM_UP_MS);
  const medians = { lone: [] as number[], raw: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    medians.raw.push(median(await raw.runFor(SLICE_MS)));
    medians.lone.push(median(await lone.timesBetween(SLICE_MS)));
  }
  const measured = { name: 'lone-transition.p50', value: median(medians.lone), unit: 'ms' };
  return [atMost({ ...measured, baseline: median(medians.raw), note: 'baseline: one raw commit' }, 'ratio', 2)];
}
