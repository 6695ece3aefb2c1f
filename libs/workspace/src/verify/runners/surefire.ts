import { type CountReader, type Counted } from './reader.js';

/** The total of a module; each class has such a line too, with the time that it took. Flakes passed when run again. */
const TOTAL =
  /^(?:\[[A-Z]{1,10}\] )?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})(?:, Flakes: \d{1,9})?$/;
const NONE = /^(?:\[[A-Z]{1,10}\] )?No tests (?:to run|were executed)/;

export function surefireReader(): CountReader {
  let total: Counted | null = null;
  return {
    runner: 'surefire',
    read: (line) => {
      const found = TOTAL.exec(line)?.slice(1).map(Number);
      if (!found && !NONE.test(line)) return;
      const [run = 0, failures = 0, errors = 0, skipped = 0] = found ?? [];
      const before = total ?? { passed: 0, failed: 0, skipped: 0 };
      total = {
        passed: before.passed + Math.max(0, run - failures - errors - skipped),
        failed: before.failed + failures + errors,
        skipped: before.skipped + skipped,
      };
    },
    counted: () => total,
  };
}
