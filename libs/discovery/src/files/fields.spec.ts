import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '#kernel';
import { cleanText, listField, nameOf } from './fields.js';
import { toolNamed } from './narrow.js';
import { tierOf } from './tier.js';

const listed = (value: unknown) => listField(new Map([['k', value]]), 'k', /[\s,]/);

describe('a name', () => {
  it.each([
    ['sde-iii', 'sde-iii'],
    ['Security Reviewer', 'security-reviewer'],
    ['../../etc/passwd', 'etc-passwd'],
    ['__proto__', 'proto'],
    ['-a-', 'a'],
    ['', ''],
    ['日本', ''],
  ])('of %j is %j', (written, name) => {
    expect(nameOf(written)).toBe(name);
  });

  it('may stand in any path, whatever was written, and is a name of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (written) => {
        expect(nameOf(written)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(nameOf(written).length).toBeLessThanOrEqual(64);
        expect(nameOf(nameOf(written))).toBe(nameOf(written));
      }),
    );
  });
});

describe('a text', () => {
  it('can be stored and shown, whatever was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (written, most) => {
        const text = cleanText(`${written}\u0000\uD800\u001b[2J`, most);
        expect(isWellFormed(text) && text.length <= most).toBe(true);
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
    );
  });
});

describe('a list', () => {
  it.each([
    ['Read, Grep', ['Read', 'Grep']],
    ['Bash(git add *) Read', ['Bash(git add *)', 'Read']],
    ['Bash(a, b),Read', ['Bash(a, b)', 'Read']],
    ['Bash((a', ['Bash((a']],
    ['a)b,c', ['a)b', 'c']],
    [['Read', 7, null, 'Read', { a: 1 }], ['Read']],
    ['', []],
    [[], []],
    [new Map(), []],
    [undefined, null],
    [null, null],
  ])('of %j is %j', (written, list) => {
    expect(listed(written)).toEqual(list);
  });
});

describe('a model', () => {
  it.each([
    ['haiku', 'small'],
    ['claude-sonnet-5-5', 'medium'],
    ['Opus', 'large'],
    ['anthropic/claude-opus-5-5[1m]', 'large'],
    ['large', 'large'],
    ['inherit', null],
    ['gpt', null],
    [null, null],
  ])('%j is of the tier %j', (model, tier) => {
    expect(tierOf(model)).toBe(tier);
  });
});

describe('a tool', () => {
  it.each([
    ['Read', 'read_file'],
    ['Bash(git log:*)', 'run'],
    ['search', 'search'],
    ['WebFetch', 'webfetch'],
    ['__proto__', '__proto__'],
  ])('%j is known as %j', (written, name) => {
    expect(toolNamed(written)).toBe(name);
  });
});
