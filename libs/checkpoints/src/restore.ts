import type { Snapshot } from '#engine';
import type { LinkFault, StoredLink } from './verify.js';

/** The newest link that nothing is wrong with: by itself, whatever happened to older ones. */
export function lastGoodLink<T extends StoredLink>(links: readonly T[], faults: readonly LinkFault[]): T | null {
  const bad = new Set(faults.map((fault) => fault.seq));
  return links.findLast((link) => !bad.has(link.seq)) ?? null;
}

/**
 * A snapshot brought back. It is a new incarnation: effects of the discarded past are not read back, and timers and
 * decisions that were meant for it find nothing to act on.
 */
export function revived(snapshot: Snapshot, present: Pick<Snapshot, 'incarnation' | 'visit'>): Snapshot {
  return {
    ...snapshot,
    incarnation: Math.max(snapshot.incarnation, present.incarnation) + 1,
    visit: Math.max(snapshot.visit, present.visit) + 1,
    // Children belong to the incarnation that started them: the state begins its work anew.
    wait: null,
    failure: null,
  };
}
