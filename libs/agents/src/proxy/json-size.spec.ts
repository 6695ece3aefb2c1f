import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refuseDearJson } from './json-size.js';

const check = (text: string, most?: number) => () => refuseDearJson(Buffer.from(text), most);

it('a body of few bytes and very many values is refused before it is parsed', () => {
  expect(check(`{"messages":[${'[],'.repeat(1_000_001)}[]]}`)).toThrow('too many values');
  expect(check(`{"a":[${'1,'.repeat(1_000_001)}1]}`)).toThrow('too many values');
  expect(check('['.repeat(257))).toThrow('too deeply');
  expect(check(`${'['.repeat(256)}${']'.repeat(256)}`)).not.toThrow();
});

it('what stands in a text is no value, however it is written', () => {
  expect(check(JSON.stringify({ text: '[{",\\"'.repeat(1_000) }), 2)).not.toThrow();
  expect(check('"never ends [,[,[,', 0)).not.toThrow();
});

it('counts about as many values as there are: never fewer, bar the outermost, and never more than twice', () => {
  const countOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, one) => sum + countOf(one), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const count = countOf(value);
      expect(check(JSON.stringify(value), 2 * count)).not.toThrow();
      expect(check(JSON.stringify([value, value]), 2 * count - 1)).toThrow('too many values');
    }),
  );
});
