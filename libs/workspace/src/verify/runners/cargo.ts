import { type CountReader, Tally } from './reader.js';

const SUMMARY = /^test result: (?:ok|FAILED)\. (\d{1,9} passed; \d{1,9} failed; \d{1,9} ignored);/;

/** One summary per test binary, and one for the tests in the documentation. */
export const cargoReader = (): CountReader =>
  new Tally('cargo test', { passed: 'passed', failed: 'failed', ignored: 'skipped' }, (line, tally) => {
    const found = SUMMARY.exec(line)?.[1];
    if (found) tally.addAll(found);
  });
