import { expect, it } from 'vitest';
import { BLOT, SecretBook } from '#kernel';
import { redactArtefact } from './redact-artefact.js';

const key = ['a1B2', 'c3D4', 'e5F6'].join('-');

it('knows a secret by the name of its field in JSON, and in a text by the name before it', () => {
  const json = JSON.stringify({ user: 'me', db: { password: key } });
  const clean = redactArtefact('state.json', json, new SecretBook());
  expect(JSON.parse(clean)).toEqual({ user: 'me', db: { password: BLOT } });
  expect(redactArtefact('STATE.md', `DB_PASSWORD=${key}\n`, new SecretBook())).toBe(`DB_PASSWORD=${BLOT}\n`);
});

it('leaves a text without secrets as it is, JSON too', () => {
  const json = '{"password":   "string"}';
  expect(redactArtefact('state.json', json, new SecretBook())).toBe(json);
});
