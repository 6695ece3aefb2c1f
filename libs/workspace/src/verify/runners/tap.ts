import { type CountReader, type Counted, Tally } from './reader.js';

/** As TAP comments or with the sign of node's spec reporter. Indented ones are a part of another summary. */
const SUMMARY = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;
const WORDS = { pass: 'passed', fail: 'failed', cancelled: 'failed', skipped: 'skipped', todo: 'skipped' } as const;
/** Lines that only node's reporters write. */
const OF_NODE = ['suites', 'cancelled'];

export function tapReader(): CountReader {
  let runner = 'tap';
  const files = new EmptyFiles();
  const emptyFiles: string[] = [];
  const tally = new Tally('tap', WORDS, (line) => {
    const found = SUMMARY.exec(line);
    if (!found?.[1] || !found[2]) {
      files.read(line);
      return;
    }
    if (OF_NODE.includes(found[1])) runner = 'node:test';
    const count = Number(found[2]);
    if (found[1] !== 'pass') {
      tally.add(found[2], found[1]);
      return;
    }
    const empty = files.take();
    emptyFiles.push(...empty.slice(0, MOST_NAMES - emptyFiles.length));
    tally.add(String(Math.max(0, count - empty.length)), found[1]);
  });
  return {
    get runner() {
      return runner;
    },
    read: (line) => tally.read(line),
    counted: (): Counted | null => {
      const counted = tally.counted();
      return counted && emptyFiles.length > 0 ? { ...counted, emptyFiles } : counted;
    },
  };
}

const MOST_NAMES = 100;

/** The name of a file, by itself: that is how node names the result of one, by its whole path before version 22. */
const FILE = /^(?:\/.{1,400}|\S{1,400})\.[cm]?[jt]sx?$/;
const SPEC_BEGUN = /^▶ (.{1,400})$/;
const SPEC_PASSED = /^✔ (.{1,400}) \(\d[\d.]{0,20}ms\)$/;
const TAP_BEGUN = /^# Subtest: /;
const TAP_WITHIN = /^ {4}(?:# Subtest: |ok |not ok )/;
const TAP_PASSED = /^ok \d{1,9} - (.{1,400})$/;

/**
 * Finds files in which node:test found no test. It runs each file as a test that has passed when the file ends well,
 * and tells of it only where there was no other: one result in the outermost row, with the name of the file and nothing
 * within. A suite that is named after a file has begun before, or has something within.
 */
class EmptyFiles {
  private names: string[] = [];
  private readonly suites = new Set<string>();
  private hasWithin = false;

  read(line: string): void {
    const begun = SPEC_BEGUN.exec(line)?.[1];
    if (begun !== undefined) this.suites.add(begun);
    else if (TAP_BEGUN.test(line)) this.hasWithin = false;
    else if (TAP_WITHIN.test(line)) this.hasWithin = true;
    const inSpec = SPEC_PASSED.exec(line)?.[1];
    if (inSpec !== undefined && FILE.test(inSpec) && !this.suites.delete(inSpec)) this.names.push(inSpec);
    const inTap = TAP_PASSED.exec(line)?.[1];
    if (inTap !== undefined && FILE.test(inTap) && !this.hasWithin) this.names.push(inTap);
  }

  /** Those of the run whose summary has been met. */
  take(): readonly string[] {
    const { names } = this;
    this.names = [];
    this.suites.clear();
    return names;
  }
}
