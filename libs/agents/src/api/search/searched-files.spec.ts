import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { API_LIMITS } from '../limits.js';
import { SearchWalk } from './searched-files.js';

it('lets others have their turn between the files of one folder', async () => {
  const folder = tempFolder('search');
  try {
    for (let nth = 0; nth < 200; nth += 1) writeFileSync(join(folder.path, `${String(nth)}.txt`), 'text');
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const turnsOfFiles: number[] = [];
    const walk = new SearchWalk({
      root: folder.path,
      names: [],
      wants: () => true,
      limits: API_LIMITS,
      signal: new AbortController().signal,
      isOver: () => false,
      take: async () => turnsOfFiles.push(turn) > 0,
    });
    await walk.run();
    isOver = true;
    expect(turnsOfFiles).toHaveLength(200);
    expect(new Set(turnsOfFiles).size).toBeGreaterThan(5);
  } finally {
    await folder.remove();
  }
});
