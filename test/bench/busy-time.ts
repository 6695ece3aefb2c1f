/** Something that the service waits for, by the clock of the machine. */
export interface Interval {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The time in which at least one of them was under way: what overlaps counts once. */
export function busyMs(intervals: readonly Interval[]): number {
  let total = 0;
  let coveredUntil = -Infinity;
  for (const { startedAt, endedAt } of intervals.toSorted((a, b) => a.startedAt - b.startedAt)) {
    total += Math.max(0, endedAt - Math.max(startedAt, coveredUntil));
    coveredUntil = Math.max(coveredUntil, endedAt);
  }
  return total;
}
