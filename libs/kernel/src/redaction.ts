import type { Json } from './json.js';
import { isSecretField, mayHoldNamed, withoutNamed } from './named-secrets.js';
import { mayHoldPrivateKey, withoutPrivateKeys } from './private-keys.js';
import { mayHoldAddress, withoutLogins } from './secret-addresses.js';
import { mayHoldKey, withoutKeys } from './secret-keys.js';
import { BLOT } from './secret-value.js';

export { isSecretField } from './named-secrets.js';
export { BLOT } from './secret-value.js';

/** Blots out secrets: keys that this service was configured with, and texts that look like somebody's key. */
export interface Redactor {
  redact(text: string): string;
}

/** Shorter ones are words that turn up by chance. */
export const SHORTEST_SECRET = 8;

/**
 * The secrets of one process. They are learnt as they become known (keys at the start, the token of a run while it
 * lasts), and blotted out of everything that leaves: events, logs, prompts, artefacts, traces.
 */
export class SecretBook implements Redactor {
  private readonly known = new Map<string, number>();
  /** The longest first: one secret may be the beginning of another. */
  private spelled: readonly string[] = [];

  constructor(secrets: readonly (string | null | undefined)[] = []) {
    for (const secret of secrets) this.learn(secret);
  }

  /** Returns what makes it forget this one again. */
  learn(secret: string | null | undefined): () => void {
    if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET) return () => undefined;
    this.count(secret, 1);
    let isKnown = true;
    return () => {
      if (isKnown) this.count(secret, -1);
      isKnown = false;
    };
  }

  redact(text: string): string {
    return withoutNamed(withoutLogins(withoutKeys(withoutPrivateKeys(this.withoutLearnt(text)))));
  }

  /**
   * A JSON value without what was learnt in its texts, names of fields among them; the value itself where it holds none.
   * For values that may rightly hold something of a key's shape: code that a model wrote, say.
   */
  redactLearntJson<T extends Json>(value: T): T {
    const text = JSON.stringify(value);
    const isClean = !this.spelled.some((secret) => text.includes(secret));
    return isClean ? value : (walked(value, (one) => this.withoutLearnt(one)) as T);
  }

  /** Redacts the texts of JSON that is a text itself, which stays JSON; what is no JSON is redacted as it is. */
  redactJsonText(text: string): string {
    if (!this.mayHold(text)) return text;
    try {
      return JSON.stringify(redactedTexts(JSON.parse(text) as Json, (one) => this.redact(one)));
    } catch {
      return this.redact(text);
    }
  }

  private mayHold(text: string): boolean {
    return mayHoldShape(text) || this.spelled.some((secret) => text.includes(secret));
  }

  private withoutLearnt(text: string): string {
    let clean = text;
    for (const secret of this.spelled) if (clean.includes(secret)) clean = clean.replaceAll(secret, BLOT);
    return clean;
  }

  private count(secret: string, by: 1 | -1): void {
    const count = (this.known.get(secret) ?? 0) + by;
    if (count > 0) this.known.set(secret, count);
    else this.known.delete(secret);
    // As it is, as JSON writes it, and as an address carries it.
    const all = [...this.known.keys()].flatMap((one) => [
      one,
      JSON.stringify(one).slice(1, -1),
      encodeURIComponent(one),
    ]);
    this.spelled = [...new Set(all)].sort((a, b) => b.length - a.length);
  }
}

/** A value with every text in it changed, names of fields among them. */
function walked(
  value: Json,
  change: (text: string) => string,
  changeField = (_name: string, text: string): string => change(text),
): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => walked(item, change, changeField));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, item]): [string, Json] => [
    change(name),
    typeof item === 'string' ? changeField(name, item) : walked(item, change, changeField),
  ]);
  return Object.fromEntries(fields);
}

/** A value with every text in it redacted; a field may be known for a secret by its name alone. */
export function redactedTexts(value: Json, redact: (text: string) => string): Json {
  return walked(value, redact, (name, text) => (isSecretField(name, text) ? BLOT : redact(text)));
}

/** In a JSON text, too, where line breaks, quotes and slashes are escaped. */
const mayHoldShape = (text: string): boolean =>
  mayHoldPrivateKey(text) || mayHoldKey(text) || mayHoldAddress(text) || mayHoldNamed(text);

/** What this process must not tell. */
export const secrets = new SecretBook();
