export const BLOT = '[secret]';

/** A short value has to be more mixed than a long one: letters of both kinds, digits, signs. */
const SHORTEST = 10;
const SHORTEST_OF_TWO_KINDS = 16;
const SHORTEST_DIGEST = 32;
const LONGEST = 4_096;

/** How many letters or digits in a row make one piece, on average. Names and prose have more. */
const PIECE_LENGTH = 3.4;
const PIECE_LENGTH_OF_SHORT = 2.5;
const PIECE_LENGTH_WITHOUT_DIGITS = 2.2;
const PIECE_LENGTH_OF_UNBROKEN = 4.5;

/** Letters of one kind or digits. A capital belongs to the small letters behind it, as names in programs have it. */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Names in programs have a capital or a line where a word begins, unless they are short. */
const UNBROKEN = /^(?:[a-z0-9]{16,}|[A-Z0-9]{16,}|[A-Za-z0-9+/]{32,}={0,2})$/;
const KINDS: readonly RegExp[] = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9_.\-/]/];
/** What stands for a value that somebody puts in later, addresses (of a contract, too, which all may know) and paths. */
const STAND_IN = /^\$[A-Za-z_({]|\$\{|\{\{|#\{|^[<{]|:\/\/|^(?:\.{1,2}|~|\/[a-z]+)\/|^0x[0-9a-fA-F]{40}$/;
/** Names and numbers: `config.API_KEY_2`, `test-token-1`. */
const PLAIN_WORDS = /^[^A-Za-z0-9]*(?:(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)(?:[^A-Za-z0-9]+|$))+$/;

/** Whether a text is as jumbled as keys are; names in programs, words, versions and dates are not. */
export function isJumbled(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  const variety = new Set(text).size;
  if (variety < 7) return false;
  if (text.length >= SHORTEST_DIGEST && (HEX.test(text) || UUID.test(text))) return /[a-f]/i.test(text);
  if (text.length < SHORTEST_OF_TWO_KINDS && KINDS.filter((kind) => kind.test(text)).length < 3) return false;
  if (PLAIN_WORDS.test(text)) return false;
  const pieces = text.match(PIECES) ?? [];
  if (!/[A-Za-z]/.test(text)) return false;
  const average = pieces.reduce((sum, piece) => sum + piece.length, 0) / pieces.length;
  if (!/[0-9]/.test(text)) return text.length >= SHORTEST_OF_TWO_KINDS && average <= PIECE_LENGTH_WITHOUT_DIGITS;
  if (text.length < SHORTEST_OF_TWO_KINDS) return average <= PIECE_LENGTH_OF_SHORT;
  return average <= (UNBROKEN.test(text) ? PIECE_LENGTH_OF_UNBROKEN : PIECE_LENGTH);
}

/** Whether the value of something that is named as secrets are is one: not code that gets it, nor a word about it. */
export const isSecretValue = (value: string): boolean => !STAND_IN.test(value) && isJumbled(value);

/** User and password as a header has them. */
export function isBasicLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{6,1024}={0,2}$/.test(value)) return false;
  return /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}
