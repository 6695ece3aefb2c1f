import { type CountReader, type Counted, Tally } from './reader.js';

/** As TAP comments or with the sign of node's spec reporter. Indented ones are a part of another summary. */
const SUMMARY = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;
const WORDS = { pass: 'passed', fail: 'failed', cancelled: 'failed', skipped: 'skipped', todo: 'skipped' } as const;
/** Lines that only node's reporters write. */
const OF_NODE = ['suites', 'cancelled'];

export function tapReader(): CountReader {
  let runner = 'tap';
  const tally = new Tally('tap', WORDS, (line) => {
    const found = SUMMARY.exec(line);
    if (!found?.[1] || !found[2]) return;
    if (OF_NODE.includes(found[1])) runner = 'node:test';
    tally.add(found[2], found[1]);
  });
  return {
    get runner() {
      return runner;
    },
    read: (line) => tally.read(line),
    counted: (): Counted | null => tally.counted(),
  };
}
