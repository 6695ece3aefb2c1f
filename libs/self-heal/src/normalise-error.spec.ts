import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseError, signatureOf } from './normalise-error.js';

describe('a normalised error', () => {
  it.each([
    ['keeps two segments of a path', "Cannot find module '/opt/ann/w/app/src/sum.js'", "Cannot find module '…/src/sum.js'"],
    ['of Windows too', String.raw`at D:\work\ann\app\src\sum.js:12:5`, 'at …/src/sum.js:<n>:<n>'],
    ['and of file addresses', 'at file:///srv/app/src/sum.js:1:22', 'at …/src/sum.js:<n>:<n>'],
    ['leaves relative paths', './src/a/b.ts and ../x/y and @scope/pkg/lib', './src/a/b.ts and ../x/y and @scope/pkg/lib'],
    ['leaves addresses of the web', 'GET http://example.test/v1/a/b', 'GET http://example.test/v1/a/b'],
    ['has no line and column', 'src/a.ts(12,5): error TS2345: no', 'src/a.ts(<n>,<n>): error TS2345: no'],
    ['nor those of Python', 'File "/srv/w/app/a.py", line 12, in f', 'File "…/app/a.py", line <n>, in f'],
    ['nor those of a linter', '  12:5  error  no-undef', '<n>:<n> error no-undef'],
    ['nor the numbers beside an excerpt', '  > 12 | const a = 1', '> <n> | const a = 1'],
    ['no address', 'at 0x7ffee4c0 in summing-85826029395c137d', 'at <hex> in summing-<hex>'],
    ['no time', '[18:35:22.123] 2026-11-16T18:35:22Z Mon Nov 16 18:35:22 UTC 2026', '[<time>] <time> <time>'],
    ['no duration', 'failed (1.25ms) after 3 seconds, 1m 3.5s', 'failed (<time>) after <time>, <time>'],
    ['no guess of a duration', 'Time:        0.247 s, estimated 1 s', 'Time: <time>'],
    ['no uuid', 'project 0192c3f1-1111-7abc-8def-0123456789ab', 'project <uuid>'],
    ['no temporary name', '/tmp/heal-Ab3dE5/a.json and /var/folders/x/T/q1w2/b', '…/<tmp>/a.json and …/<tmp>/b'],
    ['no process', '(node:4711) Warning, pid 12, pid=13', '(node:<n>) Warning, pid <n>, pid=<n>'],
    ['no port', 'ECONNREFUSED 127.0.0.1:5432 localhost:3000 :::8080 db:5432', 'ECONNREFUSED 127.0.0.1:<n> localhost:<n> :::<n> db:<n>'],
    ['no place within Node', 'at run (node:async_hooks:227:16)', 'at run (node:async_hooks:<n>:<n>)'],
    ['no colours', '\u001b[31m✖ fails\u001b[39m', '✖ fails'],
    ['no width', 'a  \t b\r\n\n\n  c', 'a b\nc'],
    ['keeps what went wrong', 'expected 3 to equal 4, status:404', 'expected 3 to equal 4, status:404'],
  ])('%s', (_, output, normal) => {
    expect(normaliseError(output)).toBe(normal);
  }); // prettier-ignore

  it('is relative to the folder that it came from, also for files in its root', () => {
    const at = (folder: string): string => normaliseError(`Error in ${folder}/a.test.mjs:3:1`, folder);
    expect(at('/srv/trees/001-dark-mode')).toBe('Error in a.test.mjs:<n>:<n>');
    expect(at('/opt/x/002-other')).toBe(at('/srv/trees/001-dark-mode'));
  });

  it('is known again at another place, line and time, and only then', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const place = fc.record({
      folder: fc.array(name, { minLength: 1, maxLength: 5 }),
      line: fc.integer({ min: 1, max: 99_999 }),
      ms: fc.integer({ min: 0, max: 999_999 }),
      at: fc.date({ min: new Date(0), max: new Date('2199-01-01'), noInvalidDate: true }),
      id: fc.uuid(),
    });
    const printed = ({ folder, line, ms, at, id }: typeof place extends fc.Arbitrary<infer P> ? P : never, words: string) =>
      `${at.toISOString()} run ${id}\n/${folder.join('/')}/src/sum.ts:${String(line)}:7 ${words} (${String(ms)}ms)\n`;
    const words = fc.constantFrom('is not a function', 'expected 3 to be 4', 'is undefined');
    fc.assert(
      fc.property(place, place, words, words, (one, other, what, also) => {
        const [left, right] = [normaliseError(printed(one, what)), normaliseError(printed(other, also))];
        expect(signatureOf(left) === signatureOf(right)).toBe(what === also);
      }),
    );
  }); // prettier-ignore

  const pieces = fc.constantFrom(
    ...['/', '\\', ':', '.', '-', ' ', '\n', '<n>', '<', '>', '(', ')', ',', '=', '|', '"', "'", '~', '+', '#', '[', ']'],
    ...['a', 'ab/cd', '/tmp/', 'T', 'C:\\', 'file://', 'tmp', 'line ', 'pid', 'port=', '0x', 'e', 's', 'ms', ' s', 'm'],
    ...['1', '12', '2026', '11', '12:30:45', '2026-11-16', 'T10:00', 'Z', 'Nov', 'Mon', 'deadbeef', '1700000000'],
    ...['\u001b', '\u001b[31m', '\u0000', '\ud83d', '😀', 'é', '\u2028', '…', 'Time: ', ', estimated 1 s', 'duration_ms '],
    ...['0192c3f1-1111-7abc-8def-0123456789ab', 'x'.repeat(299), 'thread ', '(node:1)', ' characters left out'],
  ); // prettier-ignore
  const hostile = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  it('stays as it is when it is normalised again', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        const once = normaliseError(text);
        expect(normaliseError(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is short and soon there, whatever was printed', () => {
    const since = performance.now();
    for (const piece of ['/a', '\\', ':1', '0x', '\u001b[', '1m', 'a', ' ', '\n', '/a/b=', 'tmp', '"/', '1.', 'Mon ']) {
      const once = normaliseError(piece.repeat(5_000_000 / piece.length));
      expect(once.length).toBeLessThanOrEqual(16 * 1024);
      expect(normaliseError(once)).toBe(once);
    }
    expect(performance.now() - since).toBeLessThan(5_000);
  });
});
