import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newWorld, type World } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  world.commit({
    'src/price.mjs': 'export const price = 1;\n',
    'src/-x.mjs': 'export const x = 1;\n',
    'src/user.mjs': "import { price } from './price.mjs';\n",
    'test/checkout.test.mjs': "import { price } from '../src/price.mjs';\n",
    'test/price.test.mjs': 'test();\n',
    'test/prices.test.mjs': "import '../src/prices.mjs';\n",
    'test/odd ü.test.mjs': "import '../src/-x.mjs';\n",
  });
  worktree = await world.open();
});
afterEach(() => world.remove());

const find = (...paths: string[]) => world.worktrees.findTests(worktree, worktree.baseCommit, paths);

describe('tests that concern changed files', () => {
  it('are those that import them or have their name', async () => {
    expect(await find('src/price.mjs')).toEqual(['test/checkout.test.mjs', 'test/price.test.mjs']);
  });

  it('are found for a hostile file name', async () => {
    expect(await find('src/-x.mjs')).toEqual(['test/odd ü.test.mjs']);
  });

  it('are none if no test names the file', async () => {
    expect(await find('src/unknown.mjs', 'index.js')).toEqual([]);
  });

  it('are refused for a commit that is none', async () => {
    await expect(world.worktrees.findTests(worktree, '--all', ['a.mjs'])).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID/) as string,
    });
  });
});
