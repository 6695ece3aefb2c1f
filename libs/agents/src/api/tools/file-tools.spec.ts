import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { called } from './called.fixture.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

let folder: TempFolder;
const put = (name: string, content: string | Buffer): void => {
  mkdirSync(join(folder.path, name, '..'), { recursive: true });
  writeFileSync(join(folder.path, name), content);
};
const got = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
const call = (name: string, input: Parameters<typeof called>[2], limits = {}) =>
  called(folder.path, name, input, { limits });

beforeEach(() => {
  folder = tempFolder('tools');
});
afterEach(() => folder.remove());

describe('read_file', () => {
  it('shows lines with their numbers', async () => {
    put('a.txt', 'one\ntwo\n');
    expect((await call('read_file', { path: 'a.txt' })).text).toBe('1\tone\n2\ttwo');
  });

  it('shows a part, and says of how much', async () => {
    put('a.txt', Array.from({ length: 50 }, (_, nth) => `line ${String(nth + 1)}`).join('\n'));
    const { text } = await call('read_file', { path: 'a.txt', offset: 10, limit: 2 });
    expect(text).toBe('10\tline 10\n11\tline 11\n(lines 10 to 11 of 50)');
    expect(await call('read_file', { path: 'a.txt', offset: 51 })).toMatchObject({ isError: true });
  });

  it('takes null for what is not given', async () => {
    put('a.txt', 'one');
    expect((await call('read_file', { path: 'a.txt', offset: null, limit: null })).text).toBe('1\tone');
  });

  it('cuts long lines and long files, and goes on where it was cut', async () => {
    put('long.txt', `${'x'.repeat(100_000)}\nend`);
    expect((await call('read_file', { path: 'long.txt' })).text).toMatch(/^1\tx{1000}\[… 100000 characters\]\n2\tend$/);
    put('many.txt', 'word word word\n'.repeat(100_000));
    const { text } = await call('read_file', { path: 'many.txt', limit: 5_000 });
    expect(text.length).toBeLessThanOrEqual(32 * 1_024);
    expect(text).toMatch(/\(lines 1 to \d+ of 100000\)$/);
  });

  it('refuses binary and giant files, and shows other encodings as well as it can', async () => {
    put('image.png', Buffer.from([1, 0, 2]));
    expect(await call('read_file', { path: 'image.png' })).toMatchObject({ isError: true });
    put('giant.txt', 'x'.repeat(2_000));
    expect(await call('read_file', { path: 'giant.txt' }, { readBytes: 1_000 })).toMatchObject({ isError: true });
    put('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    expect((await call('read_file', { path: 'latin.txt' })).text).toBe('1\tf\ufffdr');
    put('empty.txt', '');
    expect((await call('read_file', { path: 'empty.txt' })).text).toBe('(the file is empty)');
  });

  it('shows no key, nor a part of one', async () => {
    put('.env', `A=1\nTOKEN=${KEY}\nB=a-configured-secret\n`);
    expect((await call('read_file', { path: '.env' })).text).toBe('1\tA=1\n2\tTOKEN=[secret]\n3\tB=[secret]');
    const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEabc', 'MIIEdef', '-----END RSA PRIVATE KEY-----'].join('\n');
    put('id.pem', `${key}\nafter\n`);
    const { text } = await call('read_file', { path: 'id.pem', offset: 2 });
    expect(text).not.toContain('MIIE');
  });
});

describe('list_files', () => {
  it('lists folders down to a depth, naming dependencies without entering them', async () => {
    for (const name of ['b.txt', 'src/a/deep.ts', 'src/main.ts', 'node_modules/x/index.js']) put(name, '');
    expect((await call('list_files', {})).text.split('\n')).toEqual([
      'b.txt', 'node_modules/ (not entered)', 'src/', 'src/a/', 'src/main.ts',
    ]); // prettier-ignore
    expect((await call('list_files', { path: 'node_modules', depth: 3 })).text).toContain('node_modules/x/index.js');
  });

  it('stays short in a folder with very many entries, and shows odd names on one line', async () => {
    for (let nth = 0; nth < 300; nth += 1) put(`many/${String(nth)}.txt`, '');
    const { text } = await call('list_files', { path: 'many' }, { listedEntries: 10, folderEntries: 100 });
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toContain('(there are more');
    put('odd/two\nlines', '');
    expect((await call('list_files', { path: 'odd' })).text).toBe('"odd/two\\nlines"');
  });
});

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

  it('shows the surroundings of a hit in a very long line, and no key', async () => {
    put('min.js', `${'a;'.repeat(50_000)}needle${'b;'.repeat(50_000)}`);
    const { text } = await call('search', { pattern: 'needle' });
    expect(text).toContain('needle');
    expect(text.length).toBeLessThan(400);
    put('.env', `x ${KEY} y`);
    expect((await call('search', { pattern: 'ghp_' })).text).toBe('.env:1:x [secret] y');
    put('id.pem', '-----BEGIN PRIVATE KEY-----\nMIIEabc\n-----END PRIVATE KEY-----\n');
    expect((await call('search', { pattern: 'MIIE' })).text).toBe('no line matches');
  });
});

describe('write_file', () => {
  it('makes a file and its folders, replaces one, and keeps its mode', async () => {
    expect(await call('write_file', { path: 'a/b/c.txt', content: 'one' })).toMatchObject({
      isError: false,
      hasChanged: true,
    });
    expect(got('a/b/c.txt')).toBe('one');
    chmodSync(join(folder.path, 'a/b/c.txt'), 0o755);
    await call('write_file', { path: 'a/b/c.txt', content: 'two' });
    expect(got('a/b/c.txt')).toBe('two');
    expect(statSync(join(folder.path, 'a/b/c.txt')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['c.txt']);
  });

  it('refuses too much, and a file in the place of a folder', async () => {
    expect(await call('write_file', { path: 'a', content: 'x'.repeat(11) }, { writeBytes: 10 })).toMatchObject({
      isError: true,
    });
    put('file', 'x');
    expect(await call('write_file', { path: 'file/below', content: '' })).toMatchObject({ isError: true });
    expect(got('file')).toBe('x');
  });

  it('does not write a blot over a key that the model was not shown', async () => {
    put('.env', `TOKEN=${KEY}\n`);
    expect(await call('write_file', { path: '.env', content: 'TOKEN=[secret]\nB=2\n' })).toMatchObject({
      isError: true,
    });
    expect(await call('edit_file', { path: '.env', old: 'TOKEN', new: 'X=[secret]' })).toMatchObject({ isError: true });
    expect(await call('edit_file', { path: '.env', old: 'TOKEN', new: 'KEY' })).toMatchObject({ isError: false });
    expect(got('.env')).toBe(`KEY=${KEY}\n`);
    expect(await call('write_file', { path: 'doc.md', content: 'shown as [secret]' })).toMatchObject({
      isError: false,
    });
  });
});

describe('edit_file', () => {
  it('replaces a text that is there once, or all of them', async () => {
    put('a.txt', 'one two two\n');
    expect(await call('edit_file', { path: 'a.txt', old: 'two', new: 'three' })).toMatchObject({ isError: true });
    await call('edit_file', { path: 'a.txt', old: 'one', new: '$& 1' });
    await call('edit_file', { path: 'a.txt', old: 'two', new: 'three', all: true });
    expect(got('a.txt')).toBe('$& 1 three three\n');
    expect(await call('edit_file', { path: 'a.txt', old: 'four', new: 'five' })).toMatchObject({
      isError: true,
      hasChanged: false,
    });
    expect(await call('edit_file', { path: 'a.txt', old: '1', new: '1' })).toMatchObject({ isError: true });
  });

  it('keeps line breaks, byte order mark and everything else of a file as they are', async () => {
    put('crlf.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    await call('edit_file', { path: 'crlf.txt', old: 'one\ntwo', new: '1\n2' });
    expect(got('crlf.txt')).toBe('\ufeff1\r\n2\r\nthree\r\n');
    put('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    expect(await call('edit_file', { path: 'latin.txt', old: 'f', new: 'g' })).toMatchObject({ isError: true });
  });
});

describe('bad input', () => {
  const wrong: readonly (readonly [string, Parameters<typeof called>[2]])[] = [
    ['read_file', {}],
    ['read_file', { path: 7 }],
    ['read_file', { path: '' }],
    ['read_file', { path: 'a', offset: 'one' }],
    ['read_file', { path: 'a', limit: -1 }],
    ['read_file', 'not json at all'],
    ['read_file', null],
    ['read_file', ['a']],
    ['search', { pattern: '' }],
    ['search', { pattern: 'x'.repeat(2_000) }],
    ['search', { pattern: 'x', glob: '{a,b}'.repeat(10) }],
    ['write_file', { path: 'a', content: { a: 1 } }],
    ['edit_file', { path: 'a', old: '', new: 'x' }],
    ['run', { command: '' }],
    ['run', { command: ['ls'] }],
    ['finish', {}],
    ['no_such_tool', {}],
    ['__proto__', {}],
    ['constructor', {}],
    ['x'.repeat(100_000), {}],
  ];
  it.each(wrong.map(([name, input]) => [name.slice(0, 20), JSON.stringify(input).slice(0, 60), name, input] as const))(
    '%s of %s is told to the model',
    async (_, __, name, input) => {
      const said = await call(name, input);
      expect(said).toMatchObject({ isError: true, hasChanged: false });
      expect(said.text.length).toBeLessThan(2_000);
      expect(said.told).toMatchObject([{ type: 'tool.called', ok: false }]);
      expect(JSON.stringify(said.told).length).toBeLessThan(1_000);
    },
  );

  it('of any kind never throws', async () => {
    const name = fc.constantFrom('read_file', 'list_files', 'search', 'write_file', 'edit_file', 'finish', 'x');
    const field = fc.constantFrom('path', 'pattern', 'content', 'old', 'new', 'depth', 'summary', 'glob', 'all');
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant({ a: [1] }),
    );
    const input = fc.oneof(fc.dictionary(field, value), value);
    await fc.assert(
      fc.asyncProperty(name, input, async (tool, given) => {
        const said = await call(tool, given, { patternMs: 500 });
        expect(typeof said.text).toBe('string');
        expect(said.text).not.toContain('\0');
      }),
      { numRuns: 200 },
    );
  });

  it('a task that only reads has no tool that writes', async () => {
    for (const name of ['write_file', 'edit_file', 'run']) {
      expect(await called(folder.path, name, { path: 'a', content: '' }, { access: 'read' })).toMatchObject({
        isError: true,
      });
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('run', () => {
  const ran = (
    result: Partial<Awaited<ReturnType<NonNullable<NonNullable<Parameters<typeof called>[3]>['shell']>>>>,
    input = {},
  ) => {
    const asked: [string, number][] = [];
    const shell = async (command: string, timeoutMs: number) => {
      asked.push([command, timeoutMs]);
      return { exitCode: 0, stdout: '', stderr: '', endedBy: 'itself' as const, ...result };
    };
    return called(folder.path, 'run', { command: 'make', ...input }, { shell }).then((said) => ({ ...said, asked }));
  };

  it('shows exit code and both outputs', async () => {
    expect((await ran({ stdout: 'out\n', stderr: 'err\n' })).text).toBe('exit code 0\nstdout:\nout\n\nstderr:\nerr\n');
    expect(await ran({ exitCode: 2 })).toMatchObject({ isError: true, text: 'exit code 2', hasChanged: true });
    expect(await ran({ exitCode: null, endedBy: 'time-out' })).toMatchObject({ isError: true });
    expect((await ran({ exitCode: 0, endedBy: 'output' })).isError).toBe(true);
  });

  it('bounds the time and the output, keeping beginning and end, and blots out keys before it cuts', async () => {
    const { asked, text } = await ran(
      { stdout: `begin${'x'.repeat(500_000)} ${KEY} ${'y'.repeat(9_990)}end` },
      { timeoutSeconds: 3_600 },
    );
    expect(asked).toEqual([['make', 600_000]]);
    expect(text.length).toBeLessThan(33_000);
    expect(text).toContain('begin');
    expect(text.endsWith('end')).toBe(true);
    expect(text).not.toContain('a1B2');
    expect((await ran({ stdout: 'a\0b' })).text).toContain('a\ufffdb');
  });

  it('has no result when it was interrupted', async () => {
    const over = new AbortController();
    const shell = async () => {
      over.abort(new Error('stopped'));
      return { exitCode: null, stdout: '', stderr: '', endedBy: 'interruption' as const };
    };
    await expect(called(folder.path, 'run', { command: 'make' }, { shell, signal: over.signal })).rejects.toThrow(
      'stopped',
    );
  });
});
