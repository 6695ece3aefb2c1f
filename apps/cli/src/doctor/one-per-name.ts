import type { Check } from './check.js';

/** What is in order by several accounts is one line. */
export function onePerName(checks: readonly Check[]): readonly Check[] {
  const isFine = (name: string) => (one: Check) => one.name === name && one.level === 'ok';
  return checks.flatMap((check, nth) => {
    if (check.level !== 'ok') return [check];
    const same = checks.filter(isFine(check.name));
    if (checks.findIndex(isFine(check.name)) !== nth) return [];
    return [{ ...check, says: same.map(({ says }) => says).join('; ') }];
  });
}
