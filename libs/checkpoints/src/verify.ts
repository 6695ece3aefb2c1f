import { canonicalJson, type Json, sha256Hex } from '#kernel';
import type { Snapshot } from '#engine';
import { checksumOf, GENESIS, type Link, type LinkBody, sealHolds } from './link.js';

export interface StoredLink extends Link {
  readonly quarantined: string | null;
}

/** What the project's own row says of its chain: the anchor that a deleted or replayed tail is found by. */
export interface Anchor {
  readonly projectId: string;
  readonly version: number;
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

/** What is wrong with one link taken by itself, its values included; null if nothing. */
export function linkFault(link: StoredLink, projectId: string, contents: Contents, key: string | null): string | null {
  if (link.quarantined !== null) return link.quarantined;
  if (checksumOf(link.prev, link.body, link.manifest) !== link.checksum)
    return 'the checksum does not match the content';
  const body = readBody(link);
  if (!body) return 'the body is not readable';
  if (body.seq !== link.seq) return `the link says that it is number ${String(body.seq)}`;
  if (body.project !== projectId) return `the link belongs to project ${body.project}`;
  if (key !== null && !sealHolds(link, key)) return 'the seal does not match';
  for (const [name, hash] of Object.entries(link.manifest)) {
    const content = contents(hash);
    if (!content) return `the value of ${name} is missing`;
    if (sha256Hex(content) !== hash) return `the value of ${name} does not match its hash`;
  }
  return null;
}

/** Walks the whole chain, oldest first, and names every bad link. */
export function verifyChain(
  links: readonly StoredLink[],
  anchor: Anchor,
  contents: Contents,
  key: string | null,
): Verification {
  const faults: LinkFault[] = [];
  let expectedSeq = 1;
  let previous: { checksum: string; isTrusted: boolean } = { checksum: GENESIS, isTrusted: true };
  for (const link of links) {
    for (; expectedSeq < link.seq; expectedSeq += 1) {
      faults.push({ seq: expectedSeq, reason: 'the link is missing' });
      previous = { checksum: '', isTrusted: false };
    }
    const reason = linkFault(link, anchor.projectId, contents, key) ?? chainFault(link, previous);
    if (reason !== null) faults.push({ seq: link.seq, reason });
    previous = { checksum: link.checksum, isTrusted: reason === null };
    expectedSeq = link.seq + 1;
  }
  for (; expectedSeq <= anchor.version; expectedSeq += 1) {
    faults.push({ seq: expectedSeq, reason: 'the link is missing' });
  }
  const head = links.at(-1);
  if (head && faults.length === 0 && head.seq !== anchor.version) {
    faults.push({ seq: head.seq, reason: `the project says that its newest link is ${String(anchor.version)}` });
  } else if (head?.seq === anchor.version && head.checksum !== anchor.checksum && previous.isTrusted) {
    faults.push({ seq: head.seq, reason: 'the newest link is not the one the project was left with' });
  }
  return { checked: Math.max(links.length, anchor.version), faults: faults.sort((a, b) => a.seq - b.seq) };
}

/** A bad link has been named already; its successor is judged by its own content alone. */
function chainFault(link: Link, previous: { checksum: string; isTrusted: boolean }): string | null {
  if (!previous.isTrusted || link.prev === previous.checksum) return null;
  return 'the link does not follow the one before it';
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
