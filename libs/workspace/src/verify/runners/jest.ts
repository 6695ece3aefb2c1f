import { type CountReader, Tally } from './reader.js';

const SUMMARY = /^Tests: {1,20}((?:\d{1,9} [a-z]{1,10}, ){0,5}\d{1,9} total)$/;
const NONE = /^No tests found, exiting with code \d/;

export const jestReader = (): CountReader =>
  new Tally('jest', { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' }, (line, tally) => {
    const found = SUMMARY.exec(line)?.[1];
    if (found) tally.addAll(found);
    else if (NONE.test(line)) tally.open();
  });
