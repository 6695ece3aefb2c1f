/** Blots out secrets: keys that this service was configured with, and texts that look like somebody's key. */
export interface Redactor {
  redact(text: string): string;
}

export const BLOT = '[secret]';

/** Shapes of keys that are common enough to be recognised wherever they turn up. */
const SHAPES: readonly RegExp[] = [
  /\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{20,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bqr_[A-Za-z0-9_-]{20,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Shorter ones are words that turn up by chance. */
const SHORTEST_SECRET = 8;

/** Blots out the given secrets, as they are and as JSON would write them, and every text of a known shape. */
export function redactorOf(secrets: readonly (string | null | undefined)[]): Redactor {
  const known = secrets.filter((one): one is string => typeof one === 'string' && one.length >= SHORTEST_SECRET);
  const spelled = new Set(known.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)]));
  // The longest first: one secret may be the beginning of another.
  const literal = [...spelled].sort((a, b) => b.length - a.length);
  return {
    redact: (text) => {
      let clean = text;
      for (const secret of literal) if (clean.includes(secret)) clean = clean.replaceAll(secret, BLOT);
      for (const shape of SHAPES) clean = clean.replace(shape, BLOT);
      return clean;
    },
  };
}

export const shapesOnly: Redactor = redactorOf([]);
