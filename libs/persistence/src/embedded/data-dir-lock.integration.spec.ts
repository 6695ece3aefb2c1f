import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnSource, tempFolder } from '#testing';

it('exactly one of several processes takes over the lock of a dead one', async () => {
  const folder = tempFolder('lock');
  mkdirSync(join(folder.path, 'holder'));
  writeFileSync(join(folder.path, 'holder', '3.json'), JSON.stringify({ pid: process.pid, startTime: '1' }));
  const at = String(Date.now() + 2_000);
  const takers = Array.from({ length: 4 }, () =>
    spawnSource(new URL('./fixtures/take-lock.ts', import.meta.url), [folder.path, at]),
  );
  const ended = takers.map((taker) => once(taker, 'exit'));
  try {
    const words = await Promise.all(
      takers.map(async (taker) => {
        const [chunk] = (await once(taker.stdout ?? taker, 'data')) as [Buffer];
        return chunk.toString().trim();
      }),
    );
    expect(words.sort()).toEqual(['held', 'refused', 'refused', 'refused']);
  } finally {
    for (const taker of takers) taker.kill('SIGKILL');
    await Promise.all(ended);
    await folder.remove();
  }
});
