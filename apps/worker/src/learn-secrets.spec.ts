import { describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { BLOT, SecretBook } from '#kernel';
import { learnSecrets } from './learn-secrets.js';

function learnt(env: Readonly<Record<string, string>>): { book: SecretBook; guessable: string[] } {
  const book = new SecretBook();
  return { book, guessable: learnSecrets(loadConfig(env), book) };
}

describe('what the configuration keeps secret', () => {
  it('is every key, and the passwords of its addresses', () => {
    const { book, guessable } = learnt({
      ANTHROPIC_API_KEY: 'key-of-anthropic',
      OPENAI_API_KEY: 'key-of-openai',
      DATABASE_URL: 'postgresql://qralph:Tr0ub4dor%26@db/qralph',
      REDIS_URL: 'redis://:another-good-one@cache:6379',
    });
    const said = 'key-of-anthropic key-of-openai Tr0ub4dor& another-good-one';
    expect([book.redact(said), guessable]).toEqual([`${BLOT} ${BLOT} ${BLOT} ${BLOT}`, []]);
  });

  it.each([
    ['a common word', 'postgresql://me:Postgres@db/things', 'Postgres'],
    ['the name of its user', 'postgresql://orchestrator:orchestrator@db/things', 'orchestrator'],
    ['the name of its database', 'postgresql://me:warehouse@db/warehouse', 'warehouse'],
    ['the name of its host', 'postgresql://me:db.internal@db.internal/things', 'db.internal'],
    ['short', 'postgresql://me:qralph@db/things', 'qralph'],
  ])('is no password that is %s: the word stays readable, and the setting is named', (_, url, password) => {
    const { book, guessable } = learnt({ DATABASE_URL: url });
    expect([book.redact(`the ${password} of it`), guessable]).toEqual([`the ${password} of it`, ['DATABASE_URL']]);
  });

  it('has nothing to say of an address without a password', () => {
    expect(learnt({ DATABASE_URL: 'postgresql://db/things' }).guessable).toEqual([]);
  });
});
