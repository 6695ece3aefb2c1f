import type { RequestScope } from '../model.port.js';

/** The requests that a playbook fits. Case, repeated spaces and a final full stop make no difference. */
export function requestScope(patterns: readonly string[]): RequestScope {
  const normalized = patterns.map(normalize);
  return {
    examples: patterns,
    fits: (request) => {
      const text = normalize(request);
      return normalized.some((pattern) => matches(pattern, text));
    },
  };
}

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/ ?[.!]$/, '');

/** Each part between two `*` is looked for once, from left to right: a long request costs no more than its length. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
