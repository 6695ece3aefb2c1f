import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type History, simulate } from '#testing';

/** `npm run simulate -- --seeds N [--first S]`: N histories on two threads; the seeds of broken ones are printed. */
interface Share {
  readonly first: number;
  readonly count: number;
  readonly stride: number;
}

async function runShare({ first, count, stride }: Share): Promise<History[]> {
  const broken: History[] = [];
  for (let n = 0; n < count; n += 1) {
    const history = await simulate(first + n * stride);
    if (history.broken.length > 0) broken.push(history);
  }
  return broken;
}

function onThread(share: Share): Promise<History[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } },
  });
  const seeds = Number(values.seeds);
  const first = Number(values.first);
  const threads = 2;
  const started = performance.now();
  const shares = Array.from({ length: threads }, (_, n): Share => {
    return { first: first + n, stride: threads, count: Math.ceil((seeds - n) / threads) };
  });
  const broken = (await Promise.all(shares.map(onThread))).flat();
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
}

if (isMainThread) await main();
else parentPort?.postMessage(await runShare(workerData as Share));
