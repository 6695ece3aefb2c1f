import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SecretFilter } from './secret-filter.js';

const SECRET = 'sk-sk-abcabd';

/** Cuts a text at the given places. */
function pieces(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

function through(text: string, cuts: readonly number[]): string {
  const filter = new SecretFilter(SECRET);
  const out = pieces(text, cuts).map((piece) => filter.pass(piece));
  return Buffer.concat([...out, filter.rest()]).toString();
}

const part = fc.oneof(fc.constantFrom(SECRET, 'sk-', 'sk-sk-', 'sk-abcab', 'd'), fc.string({ maxLength: 5 }));
const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

it('no secret passes, however the bytes are cut, and everything else passes as it came', () => {
  fc.assert(
    fc.property(texts, cuts, (text, at) => {
      expect(through(text, at)).toBe(text.replaceAll(SECRET, '*'.repeat(SECRET.length)));
    }),
  );
});

it('what cannot be the beginning of the secret is not held back', () => {
  const filter = new SecretFilter(SECRET);
  expect(filter.pass(Buffer.from('data: hello\n\n')).toString()).toBe('data: hello\n\n');
  expect(filter.pass(Buffer.from('task sk-')).toString()).toBe('task ');
  expect(filter.pass(Buffer.from('x')).toString()).toBe('sk-x');
});
