import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { called } from './called.fixture.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

let folder: TempFolder;
const call = (name: string, input: Parameters<typeof called>[2], limits = {}) =>
  called(folder.path, name, input, { limits });

beforeEach(() => {
  folder = tempFolder('tools');
});
afterEach(() => folder.remove());

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
  }, 30_000);

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
