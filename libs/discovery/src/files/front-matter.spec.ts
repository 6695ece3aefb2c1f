import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { frontMatterOf } from './front-matter.js';

const fieldsOf = (yaml: string) => Object.fromEntries(frontMatterOf(`---\n${yaml}\n---\nbody`).fields) as object;
const spentOn = (text: string): number => cpuMs(() => frontMatterOf(text));

describe('the front matter of a file', () => {
  it('is what stands between two lines of ---', () => {
    expect(frontMatterOf('---\nname: a\n---\n\nDo it.\n---\nmore')).toEqual({
      fields: new Map([['name', 'a']]),
      body: '\nDo it.\n---\nmore',
      warnings: [],
    });
  });

  it.each([
    ['a byte order mark', '\uFEFF---\nname: a\n---\nbody'],
    ['ends of lines of Windows', '---\r\nname: a\r\n---\r\nbody'],
    ['blanks behind the lines', '--- \nname: a\n---\t\nbody'],
    ['no end of the last line', '---\nname: a\n---'],
  ])('is read with %s', (_, text) => {
    expect(frontMatterOf(text).fields.get('name')).toBe('a');
  });

  it.each(['', 'just text', '---', '---\nname: a', '--- # no\nname: a\n---\n', ' ---\nname: a\n---\n'])(
    'is missing from %j, which is all body',
    (text) => {
      expect(frontMatterOf(text)).toEqual({ fields: new Map(), body: text, warnings: ['has no front matter'] });
    },
  );

  it.each([
    ['description: Use it when: asked', 'Use it when: asked'],
    [
      'description: Use this. Examples: <example>user: "hi\\n there"</example>',
      'Use this. Examples: <example>user: "hi\\n there"</example>',
    ],
    ['description: a: b\n  goes on: here', 'a: b goes on: here'],
    ['description: @someone: do it', '@someone: do it'],
    ['description: "quoted" and: not', '"quoted" and: not'],
  ])('is read again with quotes where %j is no YAML', (yaml, description) => {
    const read = frontMatterOf(`---\nname: a\n${yaml}\nmodel: opus\n---\n`);
    expect(Object.fromEntries(read.fields)).toEqual({ name: 'a', description, model: 'opus' });
    expect(read.warnings).toEqual([expect.stringContaining('is no YAML')]);
  });

  it('leaves alone what YAML itself understands', () => {
    expect(fieldsOf('description: >\n  two\n  lines\ntools: [a, b]\nurl: http://x.org')).toEqual({
      description: 'two lines\n',
      tools: ['a', 'b'],
      url: 'http://x.org',
    });
  });

  it('is nothing but a warning where it cannot be read at all', () => {
    for (const yaml of ['{', '- a', 'a: [', 'just words', '"', '\tname: a', '%']) {
      const { fields, warnings } = frontMatterOf(`---\n${yaml}\n---\n`);
      expect([fields.size, warnings.length]).toEqual([0, 1]);
    }
  });

  it('says where a key comes twice, and takes the last', () => {
    const { fields, warnings } = frontMatterOf('---\nname: a\nname: b\n---\n');
    expect([fields.get('name'), warnings]).toEqual(['b', ['has a key twice: the last one counts']]);
  });

  it('changes no prototype', () => {
    const { fields } = frontMatterOf(
      '---\n__proto__:\n  polluted: yes\nconstructor:\n  prototype: {polluted: 1}\n---\n',
    );
    expect(fields.has('__proto__')).toBe(true);
    expect(Object.getPrototypeOf(fields)).toBe(Map.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('blows up on no bomb of aliases', () => {
    const level = (nth: number): string =>
      `l${nth}: &l${nth} [${Array(9)
        .fill(nth === 0 ? '"x"' : `*l${nth - 1}`)
        .join(',')}]`;
    const bomb = Array.from({ length: 9 }, (_, nth) => level(nth)).join('\n');
    const { fields, warnings } = frontMatterOf(`---\n${bomb}\n---\n`);
    expect(warnings).toEqual([expect.stringContaining('alias')]);
    expect([...fields.values()].every((value) => typeof value === 'string' && value.length < 100)).toBe(true);
  });

  it.each([
    ['brackets', '['.repeat(8_000)],
    ['maps', '{a: '.repeat(2_000)],
    ['keys', Array.from({ length: 900 }, (_, nth) => `k${String(nth)}: 1`).join('\n')],
    ['anchors', Array.from({ length: 800 }, (_, nth) => `k${String(nth)}: &a`).join('\n')],
    ['colons', `description: ${'a: '.repeat(2_600)}`],
    ['blanks', `description:${' '.repeat(8_000)}x: y`],
    ['lines', '\n'.repeat(8_000)],
    ['a megabyte', 'a'.repeat(1_000_000)],
  ])('takes little time for many %s', (_, yaml) => {
    expect(spentOn(`---\n${yaml}\n---\nbody`)).toBeLessThan(1_500);
  });

  it('never throws', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('---\n', '\n', ': ', '&a ', '*a', '|', '"', '- '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { body } = frontMatterOf(`---\n${pieces.join('')}\n---\n`);
        expect(typeof body).toBe('string');
      }),
    );
  });
});
