import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from './redaction.js';
import { base64, hex, jumble, letters, pemLines, uuid } from './secret-shapes.fixture.js';

const redact = (text: string): string => new SecretBook().redact(text);

/** Text, and what is left of it: `*` stands for the secret. */
type Case = readonly [text: string, secret: string];

const ADDRESSES: readonly Case[] = [
  ['redis://*@cache:6379/0', ':hunter22'],
  ['postgresql://*@db:5432/x', 'me:hunter22'],
  ['https://*@github.com/a/b.git', hex(40)],
  ['https://*@github.com/a/b.git', `${jumble(32)}:`],
  ['https://*@github.com/a/b.git', `${jumble(32)}:x-oauth-basic`],
  ['postgres://*@db.example.org:5432/x?ssl=1', 'me:hun/ter22'],
  ['postgres://*@db/x', 'me:hun?ter#22'],
  ['postgres://*@db/x', 'me:hun@ter22'],
  ['postgres://*@db/x', 'me:hun/t@er22'],
  ['postgres://*@db/x', "me:hun'ter22"],
  ['postgres://*@db/x', 'me:#hunter22'],
  ['redis://*@cache', ':/hunter22'],
  ['postgres://*@db/x', 'me:hun\\dter22'],
  ['amqp://*@mq', 'me:%2Fhunter$22!*(a)'],
  ['"redis://*@cache","redis://cache2"', ':hunter22'],
  ['redis://one,redis://*@two/3', ':hunter22'],
  ['https://hooks.slack.com/services/*', `T01ABCDEF/B02GHIJKL/${letters(24)}`],
  ['https://discord.com/api/webhooks/*', `123456789012345678/${jumble(68)}`],
];

const NAMED: readonly Case[] = [
  ['AWS_SECRET_ACCESS_KEY=*', `${base64(20)}/${base64(19)}`],
  ['export AWS_SECRET_ACCESS_KEY="*"', base64(40)],
  ['aws_secret_access_key = *', base64(40)],
  ['{"secretAccessKey": "*", "b": 1}', base64(40)],
  [String.raw`{\"api_key\":\"*\",\"b\":1}`, jumble(32)],
  ["apiKey: '*',", jumble(24)],
  ['  password: *\n  user: me', 'S3cr3t-Pa55'],
  ['DB_PASSWORD=*', 'Tr0ub4dor!3'],
  ['{"password":"*"}', String.raw`Tr0ub\"4dor&3`],
  ['Server=db;Uid=me;Pwd=*;', `${jumble(14)}!`],
  ['<password>*</password>', jumble(20)],
  ['const token: string = "*";', jumble(20)],
  ['token := `*`', jumble(20)],
  ['process.env["API_TOKEN"] = "*"', jumble(20)],
  [`config["secret_key_base"] => '*'`, hex(128)],
  ['curl "https://x.org/a?token=*&b=1"', jumble(20)],
  ['X-Api-Key: *', jumble(32)],
  ['HEROKU_API_KEY=*', uuid()],
  ['//registry.example.org/:_authToken=*', uuid()],
  ['//registry.example.org/:_password=*', base64(24)],
  ['//registry.example.org/:_auth=*', `${base64(30)}==`],
  ['AccountName=a;AccountKey=*;EndpointSuffix=b', `${base64(86)}==`],
  ['Endpoint=sb://x/;SharedAccessKey=*', `${base64(43)}=`],
  ['Authorization: Bearer *', jumble(32)],
  ["-H 'authorization: bearer *' -v", jumble(32)],
  ['Authorization: Basic *', btoa('me:hunter22')],
  ['{ "Authorization": "Basic *" }', btoa('me:pass')],
  ['Authorization: token *', hex(40)],
  ["setHeader('Authorization', 'Bearer *')", jumble(32)],
];

const KEYS: readonly Case[] = [
  ['*', `hf_${jumble(34)}`],
  ['*', `pypi-AgEI${jumble(120)}`],
  ['*', `SG.${jumble(22)}.${jumble(43)}`],
  ['*', `ya29.${jumble(60)}`],
  ['*', `xapp-1-${letters(11).toUpperCase()}-1234567890123-${hex(64)}`],
  ['*', `glrt-${jumble(20)}`],
  ['*.', `glpat-${jumble(27)}.01.${jumble(9)}`],
  ['*', `dop_v1_${hex(64)}`],
  ['*', `gsk_${jumble(52)}`],
  ['*', `xai-${jumble(80)}`],
  ['*', `sk-${jumble(48)}`],
  [String.raw`{"log":"it said\n*\tand \u00e9 more"}`, `ghp_${jumble(36)}`],
];

const PRIVATE_KEYS: readonly Case[] = [
  ['a\n*\nb', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${pemLines(3)}\n=njUN\n-----END PGP PRIVATE KEY BLOCK-----`],
  ['*\nb', `${pemLines(3)}\nabc=\n-----END RSA PRIVATE KEY-----`],
  ['*\nb', `aB3cut0ff9\n${pemLines(3)}\n-----END PRIVATE KEY-----`],
  ['the end of it:\n*\nb', `${pemLines(2)}\nabcd\n=njUN\n-----END PGP PRIVATE KEY BLOCK-----`],
  ['{"key":" *","b":1}', `${pemLines(2).replaceAll('\n', '\\n')}\\n-----END PRIVATE KEY-----`],
  ['   *', pemLines(2).replaceAll('\n', '\n + ').concat('\n + abc=\n -----END EC PRIVATE KEY-----')],
];

describe('the shapes of secrets', () => {
  it.each([...ADDRESSES, ...NAMED, ...KEYS, ...PRIVATE_KEYS])(
    'are known, and nothing around is lost: %s',
    (text, secret) => {
      const whole = text.replace('*', () => secret);
      for (const [before, after] of [
        ['', ''],
        ['before ', ' after'],
        ['\n', '\n'],
        ['"', '"'],
        ['(', ')'],
      ] as const) {
        const isCutOff = text.startsWith('*') && PRIVATE_KEYS.some(([one]) => one === text);
        if (isCutOff && before !== '') continue;
        expect(redact(`${before}${whole}${after}`)).toBe(`${before}${text.replace('*', BLOT)}${after}`);
      }
    },
  );

  it.each([
    'const token = getToken()',
    'TOKEN=getToken2(a1B2)',
    'const token = await base64Token2(request1, "a1b2")',
    'password: string',
    'password: Uint8Array, salt: Uint8Array',
    'password: z.string().min(8).max(64)',
    'const apiKey = process.env.API_KEY_2 ?? config.keys2.apiKey1;',
    'token = config.keys2.apiKey1;',
    'api_key=os.environ["X"]',
    'secret = aws_secretsmanager_secret_version.db_v2.secret_string',
    'token: ${{ secrets.NPM_TOKEN_1 }}',
    'password: "{{ vault_db_password_2 }}"',
    'PASSWORD=$DB_PASSWORD_1 TOKEN=${TOKEN_1A2B3C4D5E}',
    'password: "correct horse battery staple 1"',
    'password = "password123"',
    "secret: 'my-client-secret-42'",
    'token: "<your-token-1A2b3C4d>"',
    '"token": "identifier", "max_tokens": 4096, "tokenizer": "cl100k_base_v2"',
    'api_key: YOUR_API_KEY_HERE_123',
    'secretName: db-credentials-v2',
    'PWD=/srv/app/src/a1/b2/C3',
    'token=https://example.org/a1B2c3D4e5F6',
    'Authorization: Bearer ${token}',
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'Authorization: Basic authentication',
    'the bearer of this basic understanding',
    'https://git@github.com/a/b.git and ssh://git@github.com:22/a',
    'https://user@host/ and https://john.doe@example.org/',
    'https://oauth2accesstoken@registry.example.org/',
    'http://localhost:3000/@vite/client http://host:80/a@b?c=d@e',
    'https://x-access-token:${GITHUB_TOKEN}@github.com/',
    'postgres://<user>:<password>@<host>:<port>/<database>',
    '"http://"+user+":"+password+"@"+host',
    "f'http://{user}:{password}@{host}' % 'http://%s:%s@%s'",
    'http://localhost:PORT/@fs/ http://u:#{password}@host/',
    `token: '0x${hex(40)}'`,
    'file://C:/node_modules/@scope/a',
    'https://medium.com/@user and https://unpkg.com/react@18.2.0',
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    `id: ${uuid()}, commit ${hex(40)}, md5 ${hex(32)}`,
    `"integrity": "sha512-${base64(86)}=="`,
    `src="data:image/png;base64,${base64(400)}"`,
    'class="sk-spinner-wandering-cubes-large sk-fading-circle-dot-delay-300"',
    'hf_hub_download_with_progress_and_resume gsk_render_node_get_children',
    'pypi-publish-to-the-index-with-an-action xai-grok-for-everybody-who-wants-it',
    "if (text.includes('-----END PRIVATE KEY-----')) return;",
    `${base64(64)}\n-----END CERTIFICATE-----`,
    '-----BEGIN PUBLIC KEY-----',
  ])('are not seen in what is none: %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(`{\n  ${text}\n}`)).toBe(`{\n  ${text}\n}`);
  });

  it.each(['&', ';', '|', '(', ')', ',', '{', '['])('have any sign in a line of settings: %s', (sign) => {
    const lines = (value: string): string => `A=1\nexport DB_PASSWORD=${value}\nB_TOKEN=${value}\nC=2\n`;
    expect(redact(lines(`${jumble(12)}${sign}x9`))).toBe(lines(BLOT));
  });

  it('are known by the names of fields where the text is JSON', () => {
    const value = { user: 'me', password: jumble(16), nested: [{ apiKey: uuid(), id: uuid(), token: 'identifier' }] };
    expect(JSON.parse(new SecretBook().redactJsonText(JSON.stringify(value)))).toEqual({
      user: 'me',
      password: BLOT,
      nested: [{ apiKey: BLOT, id: uuid(), token: 'identifier' }],
    });
  });
});
