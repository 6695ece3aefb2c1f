import type { Json } from '#kernel';

/** Whether a value is nested so deeply that writing it as text would take more stack than there is. Looks level by level. */
export function isDeeperThan(deepest: number, value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values<Json>(one) : []));
  }
  return false;
}
