import type { MemoryEntry, MemoryKind } from '#contracts';
import { canonicalJson, secrets, sha256Hex, wellFormed } from '#kernel';
import type { Lesson } from '#memory';

/** More of a text is not looked at. */
const LONGEST_LOOK = 100_000;
const LONGEST_TITLE = 200;
const LONGEST_BODY = 8_000;
const LONGEST_DOMAIN = 64;
const MOST_DOMAINS = 16;

export const COLUMNS = `id, kind, repo, domains, title, body, project, created_at AS "createdAt", expires_at AS "expiresAt"`;

export interface MemoryRow extends Pick<MemoryEntry, 'id' | 'repo' | 'domains' | 'title' | 'body' | 'project'> {
  readonly kind: MemoryKind;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export const entryView = ({ createdAt, expiresAt, ...row }: MemoryRow): MemoryEntry => ({
  ...row,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  score: null,
});

/** A lesson as it may be stored: without secrets, and no longer than the API lets people write. */
export function storable(lesson: Lesson): Lesson {
  const domains = new Set(lesson.domains.map((domain) => clean(domain, LONGEST_DOMAIN)));
  return {
    ...lesson,
    domains: [...domains].slice(0, MOST_DOMAINS),
    title: clean(lesson.title, LONGEST_TITLE),
    body: clean(lesson.body, LONGEST_BODY),
  };
}

/** Redacted before it is cut to its length: of a secret that is cut the rest would not be known for one. */
const clean = (text: string, longest: number): string =>
  wellFormed(secrets.redact(text.slice(0, LONGEST_LOOK).replaceAll('\u0000', '')).slice(0, longest));

/** The same for what is the same entry. */
export const fingerprintOf = ({ kind, repo, title, body }: Lesson): string =>
  sha256Hex(canonicalJson([kind, repo, title, body]));
