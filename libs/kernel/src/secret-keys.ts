import { BLOT, isJumbled } from './secret-value.js';

/** Keys that are known by their beginning, which nothing else has. */
const CERTAIN: readonly RegExp[] = [
  /sk-(?:ant|proj|or|svcacct|admin)-[A-Za-z0-9_-]{20,}/,
  /gh[pousr]_[A-Za-z0-9]{20,}/,
  /github_pat_[A-Za-z0-9_]{20,}/,
  /glpat-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{2,})*/,
  /(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /xox[abcdeprs]-[A-Za-z0-9-]{10,}/,
  /npm_[A-Za-z0-9]{30,}/,
  /AIza[A-Za-z0-9_-]{35,}/,
  /[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /ya29\.[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{2,})*/,
  /do[opr]_v1_[A-Za-z0-9]{32,}/,
  // Keys of this service, and tokens of its runs: 256 bits in base64url, which as good as never lack a capital letter.
  // Names in programs may begin alike, and have none.
  /qr_(?:run_)?(?=[^A-Z]{0,42}[A-Z])[A-Za-z0-9_-]{43,}/,
  /whsec_[A-Za-z0-9+/=]{20,}/,
];

/** Names of other things begin alike, classes of a style sheet say: what follows must not be words. */
const LIKELY: readonly RegExp[] = [
  /sk-([A-Za-z0-9_-]{20,})/,
  /gl(?:rtr?|dt|cbt|ptt|ft|soat|imt|agent|oas)-([A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{2,})*)/,
  /(?:hf|gsk)_([A-Za-z0-9]{30,})/,
  /(?:xai|pypi)-([A-Za-z0-9_-]{30,})/,
  /xapp-([A-Za-z0-9-]{20,})/,
  // A web token. Where the rest of it is missing, its beginning is still gone over once only.
  /eyJ[A-Za-z0-9_-]{8,}((?:\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})?)/,
];

/** What is escaped in a JSON text ends in a letter or digit, which is no part of the word behind it. */
const ESCAPED = String.raw`\\[bfnrt]|\\u[0-9a-fA-F]{4}`;
const START = String.raw`(?:\b|(?<=${ESCAPED}))`;

const KEY = new RegExp(`${START}(?:${[...CERTAIN, ...LIKELY].map(({ source }) => source).join('|')})`, 'y');

/**
 * Where a key may be: every one has such a beginning. Most are looked for from the hyphen, line or dot backwards, which
 * are rare: to try every beginning at every letter takes many times as long.
 */
const BEGINNINGS = [
  String.raw`sk-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[a-s]-|npm_|[srp]k_(?:live|test)_|SG\.|ya29\.`,
  'do[opr]_v1_|qr_|whsec_|hf_|gsk_|xai-|pypi-|xapp-',
].join('|');
const HINTS: readonly RegExp[] = [
  /(?:AKIA|ASIA|AIza|eyJ)(?=[A-Za-z0-9_-]{8})/g,
  new RegExp(`[-_.](?<=(${BEGINNINGS}))(?=[A-Za-z0-9_+/=-]{10})`, 'g'),
];

/** Words in small letters, with a small number perhaps, are a name. */
const isKey = (rest: string): boolean => /[A-Z]|[0-9]{4}|[a-z0-9]{15}[0-9]/.test(rest) || isJumbled(rest);

export const mayHoldKey = (text: string): boolean => HINTS.some((hint) => text.search(hint) >= 0);

export const withoutKeys = (text: string): string => HINTS.reduce(withoutHinted, text);

function withoutHinted(text: string, hint: RegExp): string {
  let clean = '';
  let done = 0;
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found; found = hint.exec(text)) {
    KEY.lastIndex = hint.lastIndex - (found[1] ?? found[0]).length;
    const from = KEY.lastIndex;
    const [key, ...likely] = KEY.exec(text) ?? [];
    if (key === undefined || from < done) continue;
    hint.lastIndex = from + key.length;
    const rest = likely.find((one) => one !== undefined);
    if (rest !== undefined && !isKey(rest)) continue;
    clean += text.slice(done, from) + BLOT;
    done = from + key.length;
  }
  return clean + text.slice(done);
}
