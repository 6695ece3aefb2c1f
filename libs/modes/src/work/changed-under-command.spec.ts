import { describe, expect, it } from 'vitest';
import { fakeParts, Visit, WORKTREE } from '../coding/coding.fixture.js';
import { changedUnderCommand } from './changed-under-command.js';

type World = NonNullable<Parameters<typeof fakeParts>[0]>;

const changedUnder = (command: string, world: World, hasRunTests = false): Promise<readonly string[]> => {
  const wish = { command, from: 'base', commit: 'left', hasRunTests };
  return changedUnderCommand(fakeParts(world).parts, new Visit({}).activity, WORKTREE, wish);
};
const packageOf = (scripts: object): Record<string, string> => ({ 'package.json': JSON.stringify({ scripts }) });

describe('what a command runs', () => {
  it.each([
    ['sh scripts/check.sh docs/a.md', { changed: ['scripts/check.sh', 'docs/a.md'] }, ['scripts/check.sh']],
    ['cd scripts && ./check.sh', { added: ['scripts/check.sh'] }, ['scripts/check.sh']],
    ['node --test test/', { added: ['test/a.test.js'] }, ['test/a.test.js']],
    ['node --test test/*.test.js', { added: ['test/a.test.js'] }, ['test/a.test.js']],
    ['make check', { changed: ['Makefile'] }, ['Makefile']],
    ['tsc -p tsconfig.check.json', { added: ['tsconfig.check.json'] }, ['tsconfig.check.json']],
    ['node check.js', { deleted: ['check.js'] }, ['check.js']],
  ])("is the step's own where it changed or made it: %s", async (command, world, names) => {
    expect(await changedUnder(command, world)).toEqual(names);
  });

  it.each([
    ['grep -q Conclusion docs/a.md', { added: ['docs/a.md'] }],
    ['node -e "JSON.parse(require(\'fs\').readFileSync(\'data.json\'))"', { added: ['data.json'] }],
    ['node --test', { changed: ['src/a.js'] }],
    ['npm run check', { changed: ['package.json'], files: packageOf({ check: 'x', b: 'y' }), filesBefore: packageOf({ check: 'x' }) }],
  ])('is not what it reads, nor what it does not name: %s', async (command, world) => {
    expect(await changedUnder(command, world)).toEqual([]);
  }); // prettier-ignore

  it('is followed through the scripts of package.json, however that is written', async () => {
    const files = packageOf({ check: 'npm run -s deep', deep: 'node tools/deep.mjs' });
    expect(await changedUnder('npm run check', { files, changed: ['tools/deep.mjs'] })).toEqual(['tools/deep.mjs']);
    const world = { files, filesBefore: packageOf({ check: 'node real.mjs' }), changed: ['package.json'] };
    expect(await changedUnder('npm run check', world)).toEqual(['package.json: check', 'package.json: deep']);
    expect(await changedUnder('npm run check', { files, filesBefore: {}, added: ['package.json'] })).toEqual(['package.json: check', 'package.json: deep']); // prettier-ignore
  });

  it('are the tests that a runner finds itself', async () => {
    const world = { added: ['src/a.test.js', 'src/a.js'] };
    expect(await changedUnder('npm test', world, true)).toEqual(['src/a.test.js']);
    expect(await changedUnder('npm test', world)).toEqual([]);
  });

  it('is found among however many files', async () => {
    const many = Array.from({ length: 2_000 }, (_, nth) => `0/${String(nth)}.js`);
    expect(await changedUnder('node check.js', { changed: [...many, 'check.js'] })).toEqual(['check.js']);
  });

  it('counts as changed where a pattern could take for ever', async () => {
    expect(await changedUnder(`sh ./${'*a'.repeat(50)}`, { changed: ['x.sh'] })).toEqual(['x.sh']);
  });
});
