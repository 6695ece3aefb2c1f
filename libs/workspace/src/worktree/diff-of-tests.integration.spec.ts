import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testTampering } from './tampering/test-tampering.js';
import { newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

describe('a diff of tests', () => {
  const TEST = "import { it } from 'node:test';\nit('adds', () => {});\nit('takes', () => {});\n";
  const LESS = "import { it } from 'node:test';\nit('adds', () => {});\n";
  let world: World;
  let worktree: Worktree;
  beforeEach(async () => {
    world = newWorld(process.env['PATH']);
    world.commit({ 'z.test.mjs': TEST, 'package-lock.json': '{}\n', 'tür.test.mjs': TEST });
    worktree = await world.open();
  });
  afterEach(() => world.remove());

  const lost = async () => {
    const to = await world.worktrees.snapshot(worktree);
    return testTampering(await world.worktrees.diffOfTests(worktree, worktree.baseCommit, to));
  };

  it('is not cut by other files that changed more', async () => {
    writeFiles(worktree.folder, { 'package-lock.json': 'a line of text\n'.repeat(300_000), 'z.test.mjs': LESS });
    expect(await lost()).toMatchObject({ removedTests: [{ file: 'z.test.mjs', name: 'takes' }], isComplete: true });
  });

  it('says so where the tests alone are too much', async () => {
    writeFiles(worktree.folder, { 'a.test.mjs': '// a line of text\n'.repeat(300_000), 'z.test.mjs': LESS });
    expect(await lost()).toMatchObject({ isComplete: false });
  });

  it('reads a test file that git takes for no text', async () => {
    writeFiles(worktree.folder, {
      'z.test.mjs': `${LESS}// \u0000\n`,
      'tür.test.mjs': LESS,
      '.gitattributes': '* -diff\n',
    });
    const { removedTests } = await lost();
    expect(removedTests.map(({ file }) => file).sort()).toEqual(['tür.test.mjs', 'z.test.mjs']);
  });

  it('finds a comment around tests, however far apart its ends are, and a new file that leaves tests out', async () => {
    const many = Array.from({ length: 40 }, (_, nth) => `it('${String(nth)}', () => {});\n`);
    writeFiles(worktree.folder, { 'z.test.mjs': many.join('') });
    const from = await world.worktrees.snapshot(worktree);
    writeFiles(worktree.folder, {
      'z.test.mjs': [...many.slice(0, 2), '/*\n', ...many.slice(2, 38), '*/\n', ...many.slice(38)].join(''),
      'vitest.config.ts': "export default { test: { exclude: ['z.*'] } };\n",
    });
    const diff = await world.worktrees.diffOfTests(worktree, from, await world.worktrees.snapshot(worktree));
    const { removedTests, skippedTests, newRunnerFiles } = testTampering(diff);
    expect(removedTests.map(({ name }) => name)).toEqual(['2', '3', '4']);
    expect(skippedTests).toEqual([{ file: 'z.test.mjs', line: '/*' }]);
    expect(newRunnerFiles).toEqual(['vitest.config.ts']);
  });

  it('follows tests that were renamed, in more files than one command line names', async () => {
    const many = Array.from({ length: 1_500 }, (_, n) => `tests/${'long-'.repeat(12)}${String(n)}.test.mjs`);
    const files = many.map((path) => [path, `${TEST}// ${path}\n`] as const);
    writeFiles(worktree.folder, Object.fromEntries(files));
    const from = await world.worktrees.snapshot(worktree);
    renameSync(join(worktree.folder, 'tests'), join(worktree.folder, 'spec'));
    rmSync(join(worktree.folder, 'z.test.mjs'));
    const { patch, isCut } = await world.worktrees.diffOfTests(
      worktree,
      from,
      await world.worktrees.snapshot(worktree),
    );
    expect([isCut, patch.match(/^rename to/gm)?.length]).toEqual([false, 1_500]);
    expect(patch).toContain('deleted file mode');
  });
});
