import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from './redaction.js';

const letters = (n: number): string => 'aB3dE5gH7jK9'.repeat(Math.ceil(n / 12)).slice(0, n);

describe('the book of secrets', () => {
  it.each([
    ['an Anthropic key', `sk-ant-${letters(40)}`],
    ['an OpenAI key', `sk-proj-${letters(40)}`],
    ['a GitHub token', `ghp_${letters(36)}`],
    ['a fine-grained GitHub token', `github_pat_${letters(50)}`],
    ['a GitLab token', `glpat-${letters(20)}`],
    ['an AWS key id', `AKIA${'ABCD1234EFGH5678'}`],
    ['a Slack token', `xoxb-${letters(24)}`],
    ['an npm token', `npm_${letters(36)}`],
    ['a Google key', `AIza${letters(35)}`],
    ['a Stripe key', `sk_live_${letters(24)}`],
    ['a key of this service', `qr_${letters(43)}`],
    ['a token of a run', `qr_run_${letters(43)}`],
    ['a webhook secret', `whsec_${letters(32)}`],
    ['a web token', `eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----`],
  ])('blots out %s that nobody told it of', (_, secret) => {
    const clean = new SecretBook().redact(`before ${secret} after`);
    expect(clean).toBe(`before ${BLOT} after`);
  });

  it('blots out the password of an address and keeps the rest', () => {
    expect(new SecretBook().redact('postgresql://me:hunter22@db:5432/x')).toBe(`postgresql://${BLOT}@db:5432/x`);
  });

  it('leaves ordinary text alone', () => {
    const text =
      'The risk-averse task of building https://example.org/a@b is in src/sk-utils.ts; see user@example.org.';
    expect(new SecretBook().redact(text)).toBe(text);
  });

  it.each(['qr_code_image_width', 'qr_run_the_whole_thing_once_more_with_every_single_option'])(
    'does not take a name in a program for a key: %s',
    (name) => {
      expect(new SecretBook().redact(`${name} = 3`)).toBe(`${name} = 3`);
    },
  );

  it('knows what it has learnt in every spelling, until it is told to forget', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }), fc.string(), (secret, around) => {
        fc.pre(!around.includes(secret) && !BLOT.includes(secret));
        const book = new SecretBook();
        const forget = book.learn(secret);
        expect(book.redact(`${around} ${secret}`)).not.toContain(` ${secret}`);
        expect(book.redactJsonText(JSON.stringify({ a: [secret] }))).not.toContain(JSON.stringify(secret));
        expect(book.redact(encodeURIComponent(secret))).not.toBe(encodeURIComponent(secret));
        forget();
        forget();
        const harmless = new SecretBook().redact(secret);
        expect(book.redact(secret)).toBe(harmless);
      }),
    );
  });

  it('forgets a secret that was learnt twice only when both have let go', () => {
    const book = new SecretBook();
    const [first, second] = [book.learn('twice-told-tale'), book.learn('twice-told-tale')];
    first();
    expect(book.redact('twice-told-tale')).toBe(BLOT);
    second();
    expect(book.redact('twice-told-tale')).toBe('twice-told-tale');
  });

  it('leaves JSON that is still JSON, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const secret = '-----BEGIN PRIVATE KEY-----\nnever ended';
        const text = new SecretBook().redactJsonText(JSON.stringify({ value, secret, [`qr_${letters(43)}`]: 1 }));
        expect(JSON.parse(text)).toMatchObject({ secret: BLOT, [BLOT]: 1 });
      }),
    );
  });

  it('hands a value back as it is when it holds no secret', () => {
    const value = { a: ['b', 1, null] };
    expect(new SecretBook(['hush-hush-hush']).redactLearntJson(value)).toBe(value);
  });

  it('can leave alone what only looks like a key', () => {
    const book = new SecretBook(['hush-hush-hush']);
    const shaped = `ghp_${letters(36)}`;
    expect(book.redactLearntJson({ a: [`${shaped} hush-hush-hush`] })).toEqual({ a: [`${shaped} ${BLOT}`] });
  });

  it('does not take a short word for a secret', () => {
    expect(new SecretBook(['main', null, undefined]).redact('the main branch')).toBe('the main branch');
  });
});
