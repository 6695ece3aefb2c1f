import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { RepositoryMap, Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeAll(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterAll(() => world.remove());

let nth = 0;
async function mapOf(files: Readonly<Record<string, string>>): Promise<RepositoryMap> {
  writeFiles(worktree.folder, files);
  const run = { ...effectRun(worktree.projectId), key: `key-${String((nth += 1))}` };
  await world.worktrees.commit(worktree, 'Work', checkpoint, run);
  return world.worktrees.map(worktree);
}

describe('the map of a repository', () => {
  it('shows what HEAD holds, not what the folder holds', async () => {
    writeFiles(worktree.folder, { 'src/uncommitted.ts': 'export const no = 1;\n' });
    const { map, conventions } = await world.worktrees.map(worktree);
    expect(map).toContain('SOURCE FILES (with the names they export)\nsrc/b.ts: b');
    expect(map).toContain('OTHER FILES\n.gitignore\na.txt');
    expect(map).not.toContain('uncommitted');
    expect(conventions).toBe('');
  });

  it('shows manifests and conventions', async () => {
    const { map, conventions } = await mapOf({
      'package.json': '{"name":"shop","scripts":{"test":"node --test"}}',
      'AGENTS.md': '# Rules\n\nRun the tests.\n',
      '.github/CONTRIBUTING.md': 'Be kind.\n',
      'src/tür 😀.mjs': 'export const door = 1;\n',
    });
    expect(map).toMatch(/^PROJECT\npackage.json: shop\nscript test: node --test\n/);
    expect(map).toContain('\nsrc/tür 😀.mjs: door\n');
    expect(conventions).toBe(
      '=== AGENTS.md ===\n# Rules\n\nRun the tests.\n\n=== .github/CONTRIBUTING.md ===\nBe kind.',
    );
  });

  it('reads no link, no long file, no binary content and no artifacts of projects', async () => {
    symlinkSync('/etc/passwd', join(worktree.folder, 'CLAUDE.md'));
    symlinkSync('src/b.ts', join(worktree.folder, 'link.ts'));
    const { map, conventions } = await mapOf({
      'src/long.ts': `export const long = 1;\n${'// x\n'.repeat(20_000)}`,
      'src/binary.ts': 'export const binary = 1;\n\0\u0001\u0002',
      'src/empty.ts': '',
      'odd\n\u001b[2J.ts': 'export const odd = 1;\n',
      '.qralph/projects/001/PLAN.md': 'plan\n',
    });
    expect(conventions).not.toContain('CLAUDE.md');
    expect(map).toContain('\nlink.ts\nodd [2J.ts: odd\n');
    expect(map).toContain('\nsrc/binary.ts\nsrc/empty.ts\nsrc/long.ts\n');
    expect(map).not.toContain('.qralph');
  });

  it('redacts secrets', async () => {
    const key = `sk-ant-api03-${'aB3'.repeat(30)}`;
    const { map, conventions } = await mapOf({
      'package.json': JSON.stringify({ name: 'shop', scripts: { deploy: `deploy --key ${key}`, test: 'node --test' } }),
      'AGENTS.md': `Use ${key} for deploys.\n`,
    });
    expect(`${map}${conventions}`).not.toContain('aB3aB3');
    expect(map).toContain('script deploy: deploy');
    expect(conventions).toContain('for deploys.');
  });

  it('is quick for 20,000 files and reads at most 300 of them', async () => {
    const commit = importFiles(20_000);
    const large = await world.open({ name: '002-large', ref: commit });
    await world.worktrees.map(worktree);
    const started = performance.now();
    const { map } = await world.worktrees.map(large);
    const tookMs = performance.now() - started;
    expect(map).toContain('20000 files, 0 of them in the root');
    expect(map.match(/^packages\/.*: value\d+$/gm)?.length).toBeGreaterThan(50);
    expect(map.length).toBeLessThanOrEqual(12_000);
    // About a quarter of a second on an idle machine.
    expect(tookMs).toBeLessThan(2_000);
  });
});

/** A commit of so many files, made without writing them to a checkout. */
function importFiles(count: number): string {
  const files = Array.from({ length: count }, (_, at) => {
    const text = `export const value${String(at)} = 1;\n${'// line\n'.repeat(50)}`;
    return `M 644 inline packages/p${String(at % 100)}/src/module-${String(at)}.ts\ndata ${String(text.length)}\n${text}`;
  });
  const stream = `commit refs/heads/large\ncommitter u <u@localhost> 0 +0000\ndata 1\nx\n${files.join('\n')}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: world.repo, input: stream });
  return world.git('rev-parse', 'refs/heads/large');
}
