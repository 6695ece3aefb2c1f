import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { called } from '../tools/called.fixture.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

let folder: TempFolder;
const put = (name: string, content: string | Buffer): void => {
  mkdirSync(join(folder.path, name, '..'), { recursive: true });
  writeFileSync(join(folder.path, name), content);
};
const call = (name: string, input: Parameters<typeof called>[2], limits = {}) =>
  called(folder.path, name, input, { limits });

beforeEach(() => {
  folder = tempFolder('tools');
});
afterEach(() => folder.remove());

describe('search', () => {
  it('finds lines by a pattern, below a path, in files that fit', async () => {
    put('src/a.ts', 'const a = 1;\nconst b = 2;\n');
    put('src/a.md', 'const c\n');
    put('node_modules/x.ts', 'const d\n');
    expect((await call('search', { pattern: 'const \\w' })).text).toBe(
      'src/a.md:1:const c\nsrc/a.ts:1:const a = 1;\nsrc/a.ts:2:const b = 2;',
    );
    expect((await call('search', { pattern: 'B = ', glob: '*.ts', ignoreCase: true })).text).toBe(
      'src/a.ts:2:const b = 2;',
    );
    expect((await call('search', { pattern: 'const', path: 'src/a.md' })).text).toBe('src/a.md:1:const c');
    expect((await call('search', { pattern: 'nowhere' })).text).toBe('no line matches');
  });

  it.each([
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/c.ts', true],
    ['src/**/*.ts', 'lib/c.ts', false],
    ['*.{ts,tsx}', 'a/b.tsx', true],
    ['*.{ts,tsx}', 'a/b.js', false],
    ['**/test/**', 'a/test/b', true],
    ['a?.ts', 'ab.ts', true],
    ['a*a*a*a*a*a*a*b', `${'a'.repeat(250)}.ts`, false],
  ])('takes %s for %s: %s', async (glob, path, fits) => {
    put(path, 'here');
    expect((await call('search', { pattern: 'here', glob })).text.startsWith(path)).toBe(fits);
  });

  it('ends a pattern that would try for ever, and works again afterwards', async () => {
    put('a.txt', `${'a'.repeat(40)}!\n`);
    const said = await call('search', { pattern: '(a+)+$' }, { patternMs: 200 });
    expect(said).toMatchObject({ isError: true });
    expect(said.text).toContain('too long');
    expect((await call('search', { pattern: 'a+!' })).text).toContain('a.txt:1:');
  });

  it('says so when a pattern is none, or when there is too much', async () => {
    expect(await call('search', { pattern: '(' })).toMatchObject({ isError: true });
    put('a.txt', 'x\n'.repeat(1_000));
    const { text } = await call('search', { pattern: 'x' }, { searchHits: 5 });
    expect(text.split('\n')).toHaveLength(6);
    expect(text).toContain('(not all: there are more');
    for (let nth = 0; nth < 20; nth += 1) put(`${String(nth)}.txt`, '');
    expect((await call('search', { pattern: 'y' }, { searchFiles: 10 })).text).toContain('too many files');
  });

  it('goes down so far and no further, and says so', async () => {
    put(`${'d/'.repeat(200)}a.txt`, 'needle');
    put(`${'e/'.repeat(63)}a.txt`, 'needle');
    const { text, isError } = await call('search', { pattern: 'needle' });
    const note = `(not all: ${JSON.stringify(`${'d/'.repeat(63)}d`)} lies too deep; narrow it down)`;
    expect([isError ?? false, text]).toEqual([false, `${'e/'.repeat(63)}a.txt:1:needle\n${note}`]);
  });

  it('shows the surroundings of a hit in a very long line, and no key', async () => {
    put('min.js', `${'a;'.repeat(50_000)}needle${'b;'.repeat(50_000)}`);
    const { text } = await call('search', { pattern: 'needle' });
    expect(text).toContain('needle');
    expect(text.length).toBeLessThan(400);
    put('.env', `x ${KEY} y`);
    expect((await call('search', { pattern: 'ghp_' })).text).toBe('.env:1:x [secret] y');
    put('id.pem', '-----BEGIN PRIVATE KEY-----\nMIIEabc\n-----END PRIVATE KEY-----\n');
    put('id.asc', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nMIIEabc\n-----END PGP PRIVATE KEY BLOCK-----\n');
    put('tail.pem', `${'MIIEabc1'.repeat(8)}\nMIIE=\n-----END PRIVATE KEY-----\n`);
    expect((await call('search', { pattern: 'MIIE' })).text).toBe('no line matches');
  });
});
