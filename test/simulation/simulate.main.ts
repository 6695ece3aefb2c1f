import { parseArgs } from 'node:util';
import { runHistories } from './histories.js';

/** `npm run simulate -- --seeds N [--first S]`: N histories on two threads; the seeds of broken ones are printed. */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } },
});
const seeds = Number(values.seeds);
const started = performance.now();
const broken = (await runHistories(Number(values.first), seeds)).flatMap((share) => share.broken);
const seconds = (performance.now() - started) / 1_000;
for (const history of broken)
  console.log(`seed ${String(history.seed)} after ${String(history.steps)} steps:\n  ${history.broken.join('\n  ')}`);
console.log(
  `${String(seeds)} histories in ${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60).toString()} a minute), ${String(broken.length)} broken`,
);
if (broken.length > 0) {
  console.log(`replay one with: npm run simulate -- --seeds 1 --first ${String(broken[0]?.seed)}`);
  process.exitCode = 1;
}
