import type { Bench } from './figure.js';
import { bringInBench } from './bring-in.bench.js';
import { bytes } from './bytes.bench.js';
import { codingHundred, codingOverhead } from './coding.bench.js';
import { codingLarge } from './coding-large.bench.js';
import { discovery } from './discovery.bench.js';
import { ledger } from './ledger.bench.js';
import { loneTransition } from './lone-transition.bench.js';
import { proxy } from './proxy.bench.js';
import { restart } from './restart.bench.js';
import { simulation } from './simulation.bench.js';
import { start } from './start.bench.js';
import { takeover } from './takeover.bench.js';
import { toolTurns } from './tool-turns.bench.js';
import { transitions } from './transitions.bench.js';
import { webhooks } from './webhooks.bench.js';
import { worktree } from './worktree.bench.js';

const benches: readonly Bench[] = [
  transitions, loneTransition, bytes, takeover, restart, start, simulation,
  ledger, proxy, worktree, bringInBench, toolTurns, discovery, codingOverhead,
  codingHundred, codingLarge, webhooks,
]; // prettier-ignore

/** `npm run bench [-- NAME…]`: all benches, or those whose names begin so. One JSON line per figure; 1 if one misses. */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !benches.some((bench) => bench.name.startsWith(name)));
  if (unknown.length > 0) {
    const known = benches.map((bench) => bench.name).join(', ');
    process.stderr.write(`no bench is named ${unknown.join(', ')}; there are: ${known}\n`);
    return 2;
  }
  const wanted = benches.filter((bench) => names.length === 0 || names.some((name) => bench.name.startsWith(name)));
  let allHold = true;
  for (const bench of wanted) {
    process.stderr.write(`${bench.name} …\n`);
    for (const figure of await bench.run()) {
      process.stdout.write(`${JSON.stringify(figure)}\n`);
      allHold &&= figure.ok;
    }
  }
  return allHold ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
