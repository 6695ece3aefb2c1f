import { allPids, isAlive, isOfThisBoot, type ProcessStat, statOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { environmentOf, markIn, markOf } from './run-mark.js';
import { belowCeiling } from './task-ceiling.js';

/** So long a number cannot have gone round: freed, given to a new leader, and left to others by that one. */
const FRESH_MS = 1_000;

type Seen = ReadonlyMap<number, string>;

/**
 * The process group of a run, which may outlive its leader. While the leader lives, its pid names no other group. After
 * that the number is free as soon as the last member has ended, and may become the group of anybody, who may lose its
 * leader too. So a group without its leader is the run's only
 * - where a member is surely of the run: seen in it before, or with its mark, or below its ceiling;
 * - or where it was the run's a moment ago and still has members.
 * Any other is left alone, even if that spares a process that cleared its environment.
 */
export class OwnGroup {
  /** When it was last known to be the run's. */
  private knownAt: number;

  constructor(
    private readonly record: ProcessRecord,
    { isKnown = false }: { readonly isKnown?: boolean } = {},
  ) {
    this.knownAt = isKnown ? performance.now() : -Infinity;
  }

  /** Whether it has a live member. */
  isAlive(seen: Seen = new Map()): boolean {
    const { pid, startTime } = this.record;
    if (!isAlive(pid, startTime)) return this.leaderless(seen).length > 0;
    this.knownAt = performance.now();
    return true;
  }

  /** Its live members once the leader is gone. */
  leaderless(seen: Seen = new Map()): ProcessStat[] {
    const { pid, group, startTime } = this.record;
    if (!isOfThisBoot(startTime) || isAlive(pid, startTime)) return [];
    const members = hasMembers(group) ? statsOf(group) : [];
    const isReused = members.some((member) => member.pid === group);
    const wasKnown = performance.now() - this.knownAt < FRESH_MS;
    const isOurs = members.length > 0 && !isReused && (wasKnown || this.hasOwn(members, seen));
    this.knownAt = isOurs ? performance.now() : -Infinity;
    return isOurs ? members : [];
  }

  private hasOwn(members: readonly ProcessStat[], seen: Seen): boolean {
    const mark = markOf(this.record);
    const below = new Set(belowCeiling(this.record));
    return members.some(
      ({ pid, startTime }) => seen.get(pid) === startTime || below.has(pid) || markIn(environmentOf(pid)) === mark,
    );
  }
}

/** Whether the record's own group has a live member. */
export const isGroupAlive = (record: ProcessRecord): boolean => new OwnGroup(record).isAlive();

/** Cheap; zombies count. */
function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const statsOf = (group: number): ProcessStat[] =>
  allPids().flatMap((pid) => {
    const stat = statOf(pid);
    return stat?.group === group ? stat : [];
  });

/** Pids of the live members of a process group, whosever it is. */
export const membersOf = (group: number): number[] => statsOf(group).map(({ pid }) => pid);
