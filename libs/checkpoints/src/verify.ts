import { canonicalJson, type Json, sha256Hex } from '#kernel';
import type { Snapshot } from '#engine';
import { checksumOf, GENESIS, inlineText, type Link, type LinkBody, sealHolds } from './link.js';

export interface StoredLink extends Link {
  readonly quarantined: string | null;
}

/** What the project's own row says of its chain: the anchor that a deleted or replayed tail is found by. */
export interface Anchor {
  readonly projectId: string;
  readonly version: number;
  readonly checksum: string;
}

/** A link that somebody outside the database remembers, such as a commit's trailer. */
export interface Witness {
  readonly seq: number;
  readonly checksum: string;
}

export interface LinkFault {
  readonly seq: number;
  readonly reason: string;
}

export interface Verification {
  readonly checked: number;
  readonly faults: readonly LinkFault[];
}

/** Looks up the stored content of a hash; undefined when it is gone. */
export type Contents = (hash: string) => Uint8Array | undefined;

/** What the store holds under a hash: the value itself, something else, or nothing. */
export type ValueState = 'sound' | 'damaged' | 'missing';

/** Tells values apart without bringing them here: a whole chain may hold more than fits into memory. */
export type Judge = (hash: string) => ValueState;

const judgeOf =
  (contents: Contents): Judge =>
  (hash) => {
    const content = contents(hash);
    if (!content) return 'missing';
    return sha256Hex(content) === hash ? 'sound' : 'damaged';
  };

/** What is wrong with one link taken by itself, its values included; null if nothing. */
export const linkFault = (link: StoredLink, projectId: string, contents: Contents, key: string | null): string | null =>
  ownFault(link, projectId, judgeOf(contents), key);

function ownFault(link: StoredLink, projectId: string, judge: Judge, key: string | null): string | null {
  if (link.quarantined !== null) return link.quarantined;
  if (checksumOf(link.prev, link.body, link.manifest) !== link.checksum)
    return 'the checksum does not match the content';
  const body = readBody(link);
  if (!body) return 'the body is not readable';
  if (body.seq !== link.seq) return `the link says that it is number ${String(body.seq)}`;
  if (body.project !== projectId) return `the link belongs to project ${body.project}`;
  if (key !== null && !sealHolds(link, key)) return 'the seal does not match';
  for (const [name, ref] of Object.entries(link.manifest)) {
    if (inlineText(ref) !== null) continue;
    const state = judge(ref);
    if (state === 'missing') return `the value of ${name} is missing`;
    if (state === 'damaged') return `the value of ${name} does not match its hash`;
  }
  return null;
}

/** A verification of a chain whose values are all at hand. */
export const verifyChain = (
  links: readonly StoredLink[],
  anchor: Anchor,
  contents: Contents,
  key: string | null,
  witnesses: readonly Witness[] = [],
): Verification => judgeChain(links, anchor, judgeOf(contents), key, witnesses);

/**
 * Walks the whole chain, newest first, and names every bad link. The project's row vouches for its newest link and each
 * sound link for the one before it, so a link that was forged anew, checksum and all, is named itself, not its successor.
 */
export function judgeChain(
  links: readonly StoredLink[],
  anchor: Anchor,
  judge: Judge,
  key: string | null,
  witnesses: readonly Witness[] = [],
): Verification {
  const bySeq = new Map(links.map((link) => [link.seq, link]));
  const ownFaults = new Map(links.map((link) => [link.seq, ownFault(link, anchor.projectId, judge, key)]));
  const newest = Math.max(anchor.version, links.at(-1)?.seq ?? 0);
  const faults: LinkFault[] = [];
  let vouchedFor: string | null = anchor.checksum;
  for (let seq = newest; seq >= 1; seq -= 1) {
    const link = bySeq.get(seq);
    if (link && seq > anchor.version) {
      faults.push({ seq, reason: `the project says that its newest link is ${String(anchor.version)}` });
      continue;
    }
    const before = ownFaults.get(seq - 1) === null ? bySeq.get(seq - 1) : undefined;
    const reason: string | null = link
      ? (ownFaults.get(seq) ?? placeFault(link, seq === anchor.version, vouchedFor, before))
      : 'the link is missing';
    if (reason !== null) faults.push({ seq, reason });
    vouchedFor = link && reason === null ? link.prev : null;
  }
  faults.push(...contradictions(bySeq, new Set(faults.map((fault) => fault.seq)), witnesses));
  return { checked: newest, faults: faults.sort((a, b) => a.seq - b.seq) };
}

/** A tail that was cut off or rewritten together with the project's row is still known to those who saw it. */
function contradictions(
  bySeq: ReadonlyMap<number, Link>,
  known: ReadonlySet<number>,
  witnesses: readonly Witness[],
): LinkFault[] {
  return witnesses
    .filter(({ seq, checksum }) => !known.has(seq) && bySeq.get(seq)?.checksum !== checksum)
    .map(({ seq }) => ({ seq, reason: 'the workspace remembers another link in this place' }));
}

/** Whether a link that is sound by itself is the one that belongs in its place. */
function placeFault(link: Link, isNewest: boolean, vouchedFor: string | null, before: Link | undefined): string | null {
  if (link.seq === 1 && link.prev !== GENESIS) return 'the first link follows something';
  if (vouchedFor !== null) {
    if (link.checksum === vouchedFor) return null;
    return isNewest
      ? 'the newest link is not the one the project was left with'
      : 'the link is not the one that the next link follows';
  }
  // Nothing vouches for it: then it must at least follow a sound one.
  return before && link.prev !== before.checksum ? 'the link does not follow the one before it' : null;
}

export function readBody(link: Pick<Link, 'body'>): LinkBody | null {
  try {
    const text = Buffer.from(link.body).toString('utf8');
    const body = JSON.parse(text) as LinkBody;
    return typeof body === 'object' && canonicalJson(body as unknown as Json) === text ? body : null;
  } catch {
    return null;
  }
}

/** The snapshot that a link holds. Call it only for a link without fault. */
export function snapshotOf(body: LinkBody, context: Readonly<Record<string, Json>>): Snapshot {
  const { state, visit, incarnation, counters, paused, aborting, ended, returnTo, wait, failure } = body;
  return { state, visit, incarnation, counters, paused, aborting, ended, returnTo, wait, failure, context };
}
