import { createHash } from 'node:crypto';
import { setImmediate as othersWork } from 'node:timers/promises';
import { filesByPackage } from './dependency-files.js';
import type { WorkPlace } from './work-place.js';

/** What each package of a worktree's dependencies looked like, by its path from the root. */
export type DependencyPrints = Readonly<Record<string, string>>;

const PACKAGES_AT_ONCE = 100;

/** Short values to compare: nothing can be read from them but that something has changed. */
export async function printDependencies(place: WorkPlace, ignored: readonly string[]): Promise<DependencyPrints> {
  const prints: Record<string, string> = {};
  let done = 0;
  for (const [name, files] of await filesByPackage(place, ignored)) {
    prints[name] = createHash('sha256').update(files.toSorted().join('\n')).digest('base64url').slice(0, 22);
    done += 1;
    if (done % PACKAGES_AT_ONCE === 0) await othersWork();
  }
  return prints;
}

/** Packages that differ, in the order of their names. */
export function differing(before: DependencyPrints, now: DependencyPrints): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}

/**
 * Prints for packages that the service itself has made anew: `before` and `now` are of the moments around that. What
 * differed from its print before still differs.
 */
export function renewed(kept: DependencyPrints, before: DependencyPrints, now: DependencyPrints): DependencyPrints {
  const stale = new Set(differing(kept, before));
  const names = new Set([...Object.keys(kept), ...Object.keys(now)]);
  const entries = [...names].map((name) => [name, (stale.has(name) ? kept : now)[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
