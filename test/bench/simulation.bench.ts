import { runHistories, takeEmptyTurns } from '../simulation/histories.js';
import { atLeast, type Bench } from './figure.js';

const SEEDS = 3_000;

/** Histories of the engine in the simulated world that two cores live through in a minute. */
export const simulation: Bench = {
  name: 'simulation',
  run: async () => {
    const shares = await runHistories(1, SEEDS);
    const broken = shares.flatMap((share) => share.broken.map(({ seed }) => seed));
    if (broken.length > 0) throw new Error(`histories are broken: npm run simulate -- --first ${String(broken[0])}`);
    const empty = await takeEmptyTurns(shares.map(({ steps }) => steps));
    const perMinute = (all: readonly { readonly ms: number }[]): number =>
      (SEEDS / Math.max(...all.map(({ ms }) => ms))) * 60_000;
    const note = `${String(SEEDS)} seeds on 2 threads; baseline: event loops that take as many turns and do nothing in them`;
    const unit = 'histories/min';
    const measured = { name: 'simulation', value: perMinute(shares), unit, baseline: perMinute(empty), note };
    return [atLeast(measured, 'value', 5_000)];
  },
};
