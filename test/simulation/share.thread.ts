import { parentPort, workerData } from 'node:worker_threads';
import { type History, simulate } from '#testing';
import type { Share, ShareResult } from './histories.js';

async function run({ first, count, stride, emptyTurns = 0 }: Share): Promise<ShareResult> {
  const broken: History[] = [];
  let steps = 0;
  const since = performance.now();
  for (let n = 0; n < count; n += 1) {
    const history = await simulate(first + n * stride);
    steps += history.steps;
    if (history.broken.length > 0) broken.push(history);
  }
  for (let n = 0; n < emptyTurns; n += 1) await new Promise((resolve) => setImmediate(resolve));
  return { broken, steps, ms: performance.now() - since };
}

parentPort?.postMessage(await run(workerData as Share));
