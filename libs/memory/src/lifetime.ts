import type { MemoryKind } from '#contracts';

const FAILURE_KEPT_MS = 90 * 24 * 3_600_000;

/** How long an entry is kept; null: for good. What failed may work with the versions of a later day. */
export const keptMs = (kind: MemoryKind): number | null => (kind === 'failed_approach' ? FAILURE_KEPT_MS : null);
