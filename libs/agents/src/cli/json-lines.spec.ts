import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { JsonLines } from './json-lines.js';

function lines(chunks: readonly Buffer[]): { line: string; event: JsonObject | null }[] {
  const seen: { line: string; event: JsonObject | null }[] = [];
  const reader = new JsonLines((line, event) => seen.push({ line, event }));
  for (const chunk of chunks) reader.take(chunk);
  reader.end();
  return seen;
}

it('events are found however the output is cut, the last one without its end of line', () => {
  const events = [{ type: 'a', text: 'grüße' }, { type: 'b', text: '😀' }, { type: 'c' }];
  const text = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((end, at) => text.subarray(places[at], end));
      expect(lines(chunks).map(({ event }) => event)).toEqual(events);
    }),
  );
});

it('any bytes at all are lines, and none of them throws', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      for (const { event } of lines(chunks.map((chunk) => Buffer.from(chunk)))) {
        expect(event === null || typeof event === 'object').toBe(true);
      }
    }),
  );
});

it('a line without end is cut, and the next one is a line again', () => {
  const long = Buffer.alloc(1024 * 1024, 'x');
  const seen = lines([
    Buffer.from('{"a":"'),
    ...Array.from({ length: 20 }, () => long),
    Buffer.from('"}\n{"type":"b"}\n'),
  ]);
  expect(seen.map(({ event }) => event)).toEqual([null, { type: 'b' }]);
  expect(seen[0]?.line.length).toBe(8 * 1024 * 1024);
});
