import { expect, it } from 'vitest';
import { type Json, SecretBook } from '#kernel';
import { reportedUsage } from './reported-usage.js';

const KEY = 'the-key-of-somebody-0123456789';
const read = (usage: Json): Json => reportedUsage(usage, new SecretBook([KEY]));

it('what a CLI reports is kept, without secrets', () => {
  expect(read({ 'a-model': { input: 5, [KEY]: [KEY] } })).toEqual({
    'a-model': { input: 5, '[secret]': ['[secret]'] },
  });
  expect(read(null)).toBeNull();
});

it.each<[string, Json]>([
  ['nested without end', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as Json],
  ['long', { text: 'x'.repeat(20_000) }],
  ['wide', Array.from({ length: 20_000 }, () => 1)],
])('a report that is %s is none', (_name, usage) => {
  expect(read(usage)).toBeNull();
});
