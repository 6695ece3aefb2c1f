import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject, sha256Hex, storableJson } from '#kernel';
import type { ProjectFacts, Snapshot } from '#engine';

/** A reference to the value of each top-level key of the context: the hash of its content, or a short value itself. */
export type Manifest = Readonly<Record<string, string>>;

/** What was stored for a manifest and is none: matches no checksum, so that its link is named. */
const UNREADABLE: Manifest = { '': 'unreadable' };

/** The manifest in what the store holds, which anybody may have edited. */
export function readManifest(stored: unknown): Manifest {
  const isManifest =
    typeof stored === 'object' &&
    stored !== null &&
    !Array.isArray(stored) &&
    Object.values(stored).every((ref) => typeof ref === 'string');
  return isManifest ? (stored as Manifest) : UNREADABLE;
}

/** One link of a project's chain, as it is stored. */
export interface Link {
  readonly seq: number;
  readonly prev: string;
  readonly checksum: string;
  readonly seal: string | null;
  /** Canonical JSON of everything but the context. */
  readonly body: Uint8Array;
  readonly manifest: Manifest;
}

/** What a link says about its project, apart from the context's values. */
export interface LinkBody extends Omit<Snapshot, 'context'> {
  readonly format: 1;
  readonly project: string;
  readonly seq: number;
  readonly machine: string;
  readonly machineVersion: number;
  /** The workspace's commit that this state belongs to, where there is a workspace. */
  readonly commit: string | null;
  readonly cause: string;
  readonly epoch: number;
}

/** What stands before the first link. */
export const GENESIS = '0'.repeat(64);

export interface LinkDraft {
  readonly facts: Pick<ProjectFacts, 'id' | 'machine' | 'machineVersion'>;
  readonly snapshot: Snapshot;
  readonly seq: number;
  readonly prev: string;
  readonly manifest: Manifest;
  readonly cause: string;
  readonly epoch: number;
}

export function forgeLink(draft: LinkDraft, sealingKey: string | null): Link {
  const { facts, seq, prev, manifest, cause, epoch } = draft;
  const { aborting, context, counters, ended, failure, incarnation, paused, returnTo, state, visit, wait } =
    draft.snapshot;
  const commit = typeof context['commit'] === 'string' ? context['commit'] : null;
  const { id: project, machine, machineVersion } = facts;
  // In the order of canonical JSON, which then has nothing to sort.
  const body: LinkBody = {
    aborting, cause, commit, counters, ended, epoch, failure, format: 1, incarnation, machine, machineVersion,
    paused, project, returnTo, seq, state, visit, wait,
  }; // prettier-ignore
  const bytes = Buffer.from(storableJson(body as unknown as Json));
  const checksum = checksumOf(prev, bytes, manifest);
  return {
    seq,
    prev,
    checksum,
    seal: sealingKey === null ? null : sealOf(checksum, sealingKey),
    body: bytes,
    manifest,
  };
}

/** SHA-256 over the previous checksum, the body and the manifest: a link cannot change without all that follow it. */
export function checksumOf(prev: string, body: Uint8Array, manifest: Manifest): string {
  const bodyHash = sha256Hex(body);
  return sha256Hex(canonicalJson({ body: bodyHash, manifest: manifest as JsonObject, prev }));
}

export const sealOf = (checksum: string, key: string): string =>
  createHmac('sha256', key).update(checksum).digest('hex');

export function sealHolds(link: Link, key: string): boolean {
  const expected = Buffer.from(sealOf(link.checksum, key));
  const found = Buffer.from(link.seal ?? '');
  return expected.length === found.length && timingSafeEqual(expected, found);
}

export interface Value {
  /** The hash of the content, or the value itself behind `=`. */
  readonly ref: string;
  /** What is to be stored under the hash; null when there is nothing to store. */
  readonly content: Buffer | null;
}

const INLINE = '=';
const LONGEST_INLINE = 128;

/**
 * A short value stands in its own reference: a row of its own, with the index entry, would be larger than the value,
 * and the commonest values would be rows that every project wants to write.
 */
export function valueOf(json: Json): Value {
  const text = storableJson(json);
  if (text.length <= LONGEST_INLINE) return { ref: INLINE + text, content: null };
  const content = Buffer.from(text);
  return { ref: sha256Hex(content), content };
}

/** The text of a value that stands in its reference; null for a hash. */
export const inlineText = (ref: string): string | null => (ref.startsWith(INLINE) ? ref.slice(INLINE.length) : null);
