import { BLOT, isJumbled } from './secret-value.js';

/** What stands before the path of an address. A quote that no letter follows ends the text that the address is in. */
const AUTHORITY = /(?<=[A-Za-z0-9]):\/\/((?:[^\s/?#"'`<>\\:]|:(?!\/\/)|'(?=[A-Za-z0-9])|\\(?![nrtu"'`\\/\s])){0,768})/g;
/** Behind a password that has a slash or the like in it: the rest of it, and the host. */
const REST_AND_HOST = /([^\s"'`<>\\@]{1,256}(?:@[^\s"'`<>\\@/?#]{1,256})*)@[A-Za-z0-9[][A-Za-z0-9.\-:[\]]*/y;
const PORT = /^(?:\d{1,5}|port)$/i;
/** What a program puts the password in place of. */
const STAND_IN = /^(?:\$[A-Za-z_]\w*|[$#]?\{.*\}|\$\(.*\)|%[a-z]|%?\(.*\)s?|\*+|x{3,})$/i;
const SHORTEST_TOKEN = 16;

const HOOK =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)([A-Z0-9]{6,}(?:\/[A-Za-z0-9_-]{6,}){1,3})/g;

/** Slashes may be escaped where the text is JSON. */
export const mayHoldAddress = (text: string): boolean =>
  (text.includes('@') && /:\\?\/\\?\//.test(text)) || mayHoldHook(text);

const mayHoldHook = (text: string): boolean => text.includes('hooks.slack.com') || text.includes('webhooks');

/** Without user and password, or the token in their place, in addresses, and without the key of hooks. */
export function withoutLogins(text: string): string {
  if (!text.includes('://')) return withoutHooks(text);
  let clean = '';
  let done = 0;
  for (const { 1: authority = '', index } of text.includes('@') ? text.matchAll(AUTHORITY) : []) {
    const from = index + '://'.length;
    const length = loginLength(text, from, authority);
    if (length === 0 || from < done) continue;
    clean += text.slice(done, from) + BLOT;
    done = from + length;
  }
  return withoutHooks(clean + text.slice(done));
}

function loginLength(text: string, from: number, authority: string): number {
  const at = authority.lastIndexOf('@');
  const login = at < 0 ? authority : authority.slice(0, at);
  const colon = login.indexOf(':');
  if (at < 0) return colon < 0 ? 0 : oddLoginLength(text, from, authority, colon);
  const password = login.slice(colon + 1);
  if (colon < 0 || password === '') {
    const user = colon < 0 ? login : login.slice(0, colon);
    return user.length >= SHORTEST_TOKEN && isJumbled(user) ? at : 0;
  }
  return STAND_IN.test(password) || password === BLOT ? 0 : at;
}

/** With a slash, a question mark or a hash in the password; but `host:8080/@name` has none. */
function oddLoginLength(text: string, from: number, authority: string, colon: number): number {
  const begun = authority.slice(colon + 1);
  const end = from + authority.length;
  const isPath = begun === '' && colon > 0 && text.charAt(end) === '/';
  if (isPath || PORT.test(begun) || STAND_IN.test(begun)) return 0;
  REST_AND_HOST.lastIndex = end;
  const rest = REST_AND_HOST.exec(text)?.[1];
  return rest === undefined || STAND_IN.test(begun + rest) ? 0 : authority.length + rest.length;
}

/** One that is made up, as documents have it, repeats one letter. */
const withoutHooks = (text: string): string =>
  mayHoldHook(text)
    ? text.replace(HOOK, (found, place: string, key: string) => (/(.)\1{7}/.test(key) ? found : place + BLOT))
    : text;
