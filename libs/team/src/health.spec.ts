import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { healthOf } from './health.js';

const given = ['src/auth/login.ts', 'README.md', 'Makefile', 'Add a rate limit to the login'];
const health = (text: string, more: Partial<Parameters<typeof healthOf>[0]> = {}) =>
  healthOf({ bytes: Buffer.byteLength(text), isPastTimeout: false, text, given, ...more });

describe('the health of a reviewer', () => {
  it('is missing, silent or stale by what was written', () => {
    expect(health('', { bytes: null })).toBe('missing');
    expect(health('', { bytes: null, isPastTimeout: true })).toBe('missing');
    expect(health('')).toBe('silent');
    expect(health('login.ts: I am still', { isPastTimeout: true })).toBe('stale');
    expect(health('login.ts: no findings')).toBe('good');
    expect(health(`login.ts: ${'x '.repeat(60)}`, { isPastTimeout: true })).toBe('good');
  });

  it('is good where it names what it looked at, however short', () => {
    for (const text of [
      'No findings in src/auth/login.ts.',
      'Read `login.ts:3`: fine',
      'The RATE is low',
      'makefile ok',
    ]) {
      expect(health(text)).toBe('good');
    }
    expect(health('{"summary":"ok","findings":[{"file":"src/auth/login.ts"}]}')).toBe('good');
  });

  it('is hollow where it cites nothing it was given', () => {
    const praise = 'The code looks good overall. I added tests and fixed all issues. The project is of great quality.';
    for (const text of [praise, ' \n ', '🙂', 'xlogin.tsx blogin', `${praise} `.repeat(1_000)]) {
      expect(health(text)).toBe('hollow');
    }
  });

  it('is not judged by what was never given', () => {
    expect(health('Looks good.', { given: [] })).toBe('good');
    expect(health('Looks good.', { given: ['fix the code', ''] })).toBe('good');
    expect(health(' ', { given: [] })).toBe('hollow');
  });

  it('is known in a moment, whatever was written and given', () => {
    const files = Array.from({ length: 50_000 }, (_, index) => `src/folder/file${String(index)}.ts`);
    const ms = cpuMs(() => {
      expect(health('lorem ipsum '.repeat(200_000), { given: files })).toBe('hollow');
      expect(health('x'.repeat(3_000_000))).toBe('hollow');
      expect(health('漏洞'.repeat(300_000))).toBe('hollow');
    });
    expect(ms).toBeLessThan(3_000);
  });
});
