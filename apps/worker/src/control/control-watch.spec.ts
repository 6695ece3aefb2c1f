import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Clock } from '#kernel';
import type { ControlledProject } from '#persistence';
import { ControlWatch } from './control-watch.js';

/** Turns of the loop, which a busy machine may take its time for. */
const WHILE = { timeout: 4_000, interval: 5 };
const project = (id: string): ControlledProject => ({ id, name: `001-${id}`, repo: `/${id}` });

/** Whoever sleeps is awake again at the next turn, and so much later it is. */
function hastyClock(): Clock {
  let at = 0;
  return {
    now: () => at,
    sleep: async (ms) => {
      at += ms;
      await turn();
    },
  };
}

it('a file that somebody writes to all the time is let go with its project, and keeps nobody waiting', async () => {
  let live = [project('restless')];
  const looks: string[] = [];
  const watch = new ControlWatch({
    pollMs: 30_000,
    live: () => Promise.resolve(live),
    look: ({ id }, isLive) => {
      looks.push(`${id} ${isLive ? 'live' : 'ended'}`);
      return Promise.resolve(id === 'restless' ? 'again' : 'done');
    },
    folderOf: () => Promise.reject(new Error('not watched here')),
    warn: () => undefined,
    clock: hastyClock(),
  });
  const count = (look: string): number => looks.filter((one) => one === look).length;
  watch.start();
  try {
    await vi.waitFor(() => expect(count('restless live')).toBeGreaterThan(3), WHILE);
    live = [project('new')];
    await vi.waitFor(() => expect(count('new live')).toBeGreaterThan(1), WHILE);
    expect(count('restless ended')).toBe(1);
    const before = count('restless live');
    await vi.waitFor(() => expect(count('new live')).toBeGreaterThan(5), WHILE);
    expect(count('restless live')).toBe(before);
  } finally {
    await watch.stop();
  }
});
