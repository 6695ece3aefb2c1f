import { BLOT, isBasicLogin, isSecretValue } from './secret-value.js';

/** How the names of secrets end: `DB_PASSWORD`, `authToken`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`. A blot is no name. */
const NAMES = [
  String.raw`passw(?:or)?d|passphrase|pwd|(?<!\[)secret|token|credentials?|authorization|_auth`,
  '(?:api|access|account|secret|private|encryption|signing|shared|auth|master)[_-]?key(?:[_-]base)?',
].join('|');

const NAME_END = new RegExp(`(?:${NAMES})$`, 'i');
/** Between a name and the sign that gives it a value: the end of its quotes or brackets, and its type. */
const NAME_ENDS = String.raw`\\*["'\x60]?\]?[ \t]{0,40}(?::[ \t]{0,4}str(?:ing)?[ \t]{0,4})?`;
const QUOTE_AND_SCHEME = String.raw`(\\*["'\x60]?)((?:bearer|basic|token|apikey)[ \t]{1,8})?`;
/**
 * What comes before a value in programs, settings, JSON, XML and headers. It looks back from the sign: to try every
 * name at every letter takes far longer.
 */
const GIVEN = new RegExp(
  String.raw`[:=>](?<=(?:${NAMES})${NAME_ENDS}[:=>])[=>]{0,2}[ \t]{0,40}${QUOTE_AND_SCHEME}(?=\S)`,
  'gi',
);
const SCHEMED = /\b()(bearer|basic)[ \t]{1,8}(?=\S)/gi;
/** In JSON, too, whose quotes and line breaks are escaped. */
const HINTS: readonly RegExp[] = [
  new RegExp(String.raw`[:=>](?<=(?:${NAMES})${NAME_ENDS}[:=>])`, 'i'),
  /(?:bearer|basic)\s/i,
];

/** A value goes on to the quote that it began with; one without quotes, to whatever ends a word in code or settings. */
const VALUES: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^\s"\\]|\\\S){1,4096}/y,
  "'": /(?:[^\s'\\]|\\\S){1,4096}/y,
  '`': /(?:[^\s`\\]|\\\S){1,4096}/y,
};
const WITHOUT_QUOTES = /[^\s"'`\\<>(){}[\],;&|]{1,4096}/y;
/** In a file of settings such a line is nothing but a name and its value, whatever signs are in it. */
const SETTING = /(?:^|\n)[ \t]*(?:export )?[A-Z][A-Z0-9_]*=$/;
const LONGEST_SETTING_NAME = 80;
const SETTING_VALUE = /(?![\w.]{1,80}\(\S{0,80}\)(?:\s|$))[^\s"'`\\]{1,4096}/y;
/** A value without quotes that is called, or picked from, or a member of something, is code. */
const GOES_ON_AS_CODE = /[([{]/;
const MEMBER = /^[A-Za-z_$][\w$]{0,19}(?:\??\.[A-Za-z_$][\w$]{0,19})+$/;

export const mayHoldNamed = (text: string): boolean => HINTS.some((hint) => hint.test(text));

/** Whether the value of a field is a secret, going by the field's name and by how the value looks. */
export const isSecretField = (name: string, value: string): boolean =>
  NAME_END.test(name) && !/\s/.test(value) && isSecretValue(value);

/** Without the values that their names give away: `password=…`, `"apiKey": "…"`, `Authorization: Bearer …`. */
export const withoutNamed = (text: string): string => withoutBehind(SCHEMED, withoutBehind(GIVEN, text));

function withoutBehind(head: RegExp, text: string): string {
  let clean = '';
  let done = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found; found = head.exec(text)) {
    const [, quote = '', scheme = ''] = found;
    const from = head.lastIndex;
    const value = valueAt(text, from, quote);
    head.lastIndex = from + value.length;
    if (!isTold(text, from, value, quote, scheme)) continue;
    clean += text.slice(done, from) + BLOT;
    done = from + value.length;
  }
  return clean + text.slice(done);
}

function valueAt(text: string, from: number, quote: string): string {
  const isSetting = quote === '' && SETTING.test(text.slice(Math.max(0, from - LONGEST_SETTING_NAME), from));
  const value = VALUES[quote] ?? (isSetting ? SETTING_VALUE : WITHOUT_QUOTES);
  value.lastIndex = from;
  return value.exec(text)?.[0] ?? '';
}

function isTold(text: string, from: number, value: string, quote: string, scheme: string): boolean {
  const next = text.charAt(from + value.length);
  const isWhole = quote in VALUES ? next === quote : !GOES_ON_AS_CODE.test(next) && !MEMBER.test(value);
  return isWhole && (isSecretValue(value) || (/^basic/i.test(scheme) && isBasicLogin(value)));
}
