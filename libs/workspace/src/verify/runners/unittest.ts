import type { CountReader, Counted } from './reader.js';

const RAN = /^Ran (\d{1,9}) tests? in \d{1,9}\.\d{1,3}s/;
const VERDICT = /^(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z0-9=, ]{1,100})\))?$/;

/** Python's own: how many ran, two lines later how many of those did not pass. */
export function unittestReader(): CountReader {
  let ran: number | null = null;
  let total: Counted | null = null;
  const close = (details: string): void => {
    if (ran === null) return;
    const parts = new Map(details.split(', ').map((part) => part.split('=') as [string, string]));
    const of = (word: string): number => Number(parts.get(word) ?? 0);
    const failed = of('failures') + of('errors') + of('unexpected successes');
    const skipped = of('skipped') + of('expected failures');
    const before = total ?? { passed: 0, failed: 0, skipped: 0 };
    total = {
      passed: before.passed + Math.max(0, ran - failed - skipped),
      failed: before.failed + failed,
      skipped: before.skipped + skipped,
    };
    ran = null;
  };
  return {
    runner: 'unittest',
    read: (line) => {
      const count = RAN.exec(line)?.[1];
      if (count !== undefined) ran = Number(count);
      else if (ran !== null) {
        const verdict = VERDICT.exec(line);
        if (verdict) close(verdict[1] ?? '');
      }
    },
    counted: () => total,
  };
}
