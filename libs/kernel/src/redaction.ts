import type { Json } from './json.js';

/** Blots out secrets: keys that this service was configured with, and texts that look like somebody's key. */
export interface Redactor {
  redact(text: string): string;
}

export const BLOT = '[secret]';

/** Shapes of keys that are common enough to be recognised wherever they turn up. */
const SHAPES: readonly RegExp[] = [
  /\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  // Keys of this service, and tokens of its runs: 256 bits in base64url, which as good as never lack a capital letter.
  // Names in programs may begin alike, and have none.
  /\bqr_(?:run_)?(?=[^A-Z]{0,42}[A-Z])[A-Za-z0-9_-]{43}/g,
  /\bwhsec_[A-Za-z0-9+/=]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // User and password in an address.
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@]{1,256}:[^\s/@]{1,256}(?=@)/g,
];

/** No text has one of the shapes without one of these: most texts are done with after this one look. */
const HINT =
  /sk-|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|xox[abeprs]-|npm_|AIza|k_live_|k_test_|qr_|whsec_|eyJ|PRIVATE KEY-----|:\/\/[^\s/@]{1,512}@/;

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
    let clean = this.withoutLearnt(text);
    if (HINT.test(clean)) for (const shape of SHAPES) clean = clean.replace(shape, BLOT);
    return clean;
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
      return JSON.stringify(walked(JSON.parse(text) as Json, (one) => this.redact(one)));
    } catch {
      return this.redact(text);
    }
  }

  private mayHold(text: string): boolean {
    return HINT.test(text) || this.spelled.some((secret) => text.includes(secret));
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
function walked(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => walked(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), walked(item, change)]));
}

/** What this process must not tell. */
export const secrets = new SecretBook();
