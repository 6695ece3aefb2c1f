import { Worker } from 'node:worker_threads';
import type { History } from '#testing';

/** What one thread does: histories of every `stride`-th seed, or as many turns of an event loop with nothing to do. */
export interface Share {
  readonly first: number;
  readonly count: number;
  readonly stride: number;
  readonly emptyTurns?: number;
}

export interface ShareResult {
  readonly broken: readonly History[];
  readonly steps: number;
  readonly ms: number;
}

const THREADS = 2;

/** Runs the histories of so many seeds on two threads. */
export function runHistories(first: number, seeds: number): Promise<ShareResult[]> {
  const shares = Array.from({ length: THREADS }, (_, n): Share => {
    return { first: first + n, stride: THREADS, count: Math.ceil((seeds - n) / THREADS) };
  });
  return Promise.all(shares.map(onThread));
}

/** Takes so many turns on each of two threads. */
export function takeEmptyTurns(turns: readonly number[]): Promise<ShareResult[]> {
  return Promise.all(turns.map((emptyTurns) => onThread({ first: 0, count: 0, stride: 1, emptyTurns })));
}

function onThread(share: Share): Promise<ShareResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./share.thread.js', import.meta.url), { workerData: share });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
