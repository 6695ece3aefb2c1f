import { type CountReader, Tally } from './reader.js';

const SUMMARY = /^ {2,12}Tests {1,4}((?:\d{1,9} [a-z ]{1,20}(?: \| )?){1,6}) ?(?:\(\d{1,9}\))?$/;
const NONE = /^(?:No test files found, exiting with code \d| {2,12}Tests {1,4}no tests)/;

export const vitestReader = (): CountReader =>
  new Tally('vitest', { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' }, (line, tally) => {
    const found = SUMMARY.exec(line)?.[1];
    if (found) tally.addAll(found);
    else if (NONE.test(line)) tally.open();
  });
