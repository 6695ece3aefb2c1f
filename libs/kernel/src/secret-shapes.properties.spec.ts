import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from './redaction.js';
import { base64, hex, jumble, pemLines, uuid } from './secret-shapes.fixture.js';

const redact = (text: string): string => new SecretBook().redact(text);

const SECRETS = [
  `sk-${jumble(40)}`,
  `hf_${jumble(34)}`,
  `ghp_${jumble(36)}`,
  `AKIA${'ABCD1234EFGH5678'}`,
  `SG.${jumble(22)}.${jumble(43)}`,
  `dop_v1_${hex(64)}`,
  `qr_${jumble(43)}`,
  `-----BEGIN PRIVATE KEY-----\n${pemLines(2)}\n-----END PRIVATE KEY-----`,
];
const PIECES = [
  ...SECRETS,
  ...['password', 'TOKEN', 'apiKey', '_auth', 'Authorization', 'Bearer ', 'basic ', 'sk-', 'eyJ', 'AIza', 'glpat-'],
  ...['=', ': ', '"', "'", '`', '\\', '\\n', '\n', ' ', '/', '@', ':', '://', '?', '.', '-', '_', '(', '{', '[', ','],
  ...['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', 'hooks.slack.com/services/', 'https', 'host:80'],
  ...[jumble(20), hex(40), base64(40), uuid(), pemLines(2), btoa('me:hunter22'), 'word', 'a1', BLOT],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }).map((pieces) => pieces.join(''));
const ordinary = fc.array(fc.constantFrom('const', 'the', 'x = 1;', 'f(a)', '{', '}', '# 2', '\n', 'é'), {
  maxLength: 9,
});

describe('blotting out what has the shape of a secret', () => {
  it('changes nothing when it is done again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });

  it('loses nothing of what stands around', () => {
    fc.assert(
      fc.property(ordinary, fc.constantFrom(...SECRETS), ordinary, (before, secret, after) => {
        const around = (middle: string): string => `${before.join(' ')} ${middle} ${after.join(' ')}`;
        expect(redact(around(secret))).toBe(around(BLOT));
      }),
    );
  });

  it('leaves JSON that is JSON of the same form, and holds no secret that its texts held', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(...SECRETS), (name, text, secret) => {
        const value = [{ [`${name}.`]: [text, 1, { password: jumble(20) }] }, ` ${secret} `];
        const clean = JSON.parse(new SecretBook().redactJsonText(JSON.stringify(value))) as typeof value;
        expect(clean).toEqual([{ [redact(`${name}.`)]: [redact(text), 1, { password: BLOT }] }, ` ${BLOT} `]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds in the text of a JSON value what it finds in the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...SECRETS), (around, secret) => {
        expect(redact(JSON.stringify({ a: `${around}\n${secret}\n` }))).not.toContain(
          JSON.stringify(secret).slice(1, -1),
        );
      }),
    );
  });

  // Steps that grow with the square of a text this long would take far longer than a test may.
  it.each([
    ...[
      'sk-',
      'sk-a',
      'sk_live_',
      'eyJaaaaaaaa.',
      '-eyJaaaaaaaa',
      'qr_',
      'glpat-a.',
      'SG.aaaaaaaaaaaaaaaaaaaa',
      'AKIA',
      '\\u00e9',
      'hf_',
    ],
    ...[
      '://',
      '://a:b/',
      '://:',
      'a://a:b@',
      'a://a@',
      'a://a:b/@',
      'a://a:b?c@d@',
      'a',
      '@',
      "'a",
      'hooks.slack.com/',
    ],
    ...[
      'token=',
      'token:"',
      'token="a1B',
      'token=a1B2c3:',
      'password',
      'password ',
      '= ',
      '=',
      ':',
      '>',
      'Bearer ',
      '\\',
      '"',
    ],
    ...['token: string', 'pwd\t', 'a1.', 'A', '_auth=', 'basic bWU6', '\nTOKEN=a(', '\nTOKEN='],
    ...[
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY ',
      '-----END ',
      '-----END PRIVATE KEY-----',
      'a\n-----END PRIVATE KEY-----',
    ],
    ...[`${'a'.repeat(30)}\n`, `${'a'.repeat(30)}\\n`, `${'A1b2'.repeat(9)}\n-----END PRIVATE KEY-----\n`],
  ])('takes steps in proportion to a hostile text: %j again and again', (piece) => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    for (const tail of ['', '@host', '\n-----END PRIVATE KEY-----']) {
      const clean = redact(`${text}${tail}\ntoken=${jumble(20)}`);
      expect(clean.slice(-20)).toContain(`\ntoken=${BLOT}`);
    }
  });
});
