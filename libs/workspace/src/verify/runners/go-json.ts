import type { CountReader, Counted } from './reader.js';

/** How a test ended or, without the name of one, a package. Go writes the keys in this order. */
const ENDED =
  /^\{(?:"Time":"[^"]{1,40}",)?"Action":"(pass|fail|skip)","Package":"([^"]{1,300})"(?:,"Test":"([^"]{1,300})")?(?:,"Elapsed":[\d.e+-]{1,20})?(?:,"FailedBuild":"[^"]{1,300}")?\}$/;
/** Parts of a test have a slash in their name, and are not counted. */
const TEST = /^(?:Test|Example|Fuzz)[^/]*$/;
const COUNTED_AS = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;

/** `go test -json`: every test has a line, with or without -v. A package that fails without a test was not built. */
export function goJsonReader(): CountReader {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const begun = new Set<string>();
  let isThere = false;
  return {
    runner: 'go test',
    read: (line) => {
      const [, action, inPackage, test] = ENDED.exec(line) ?? [];
      if (action === undefined || inPackage === undefined) return;
      isThere = true;
      if (test !== undefined) {
        begun.add(inPackage);
        if (TEST.test(test)) total[COUNTED_AS[action as keyof typeof COUNTED_AS]] += 1;
      } else if (!begun.delete(inPackage) && action === 'fail') total.failed += 1;
    },
    counted: (): Counted | null => (isThere ? { ...total } : null),
  };
}
