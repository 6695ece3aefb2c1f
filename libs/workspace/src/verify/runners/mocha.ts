import { type CountReader, Tally } from './reader.js';

const SUMMARY = /^ {2}(\d{1,9}) (passing|failing|pending)(?: \(\d[^)]{0,20}\))?$/;

export const mochaReader = (): CountReader =>
  new Tally('mocha', { passing: 'passed', failing: 'failed', pending: 'skipped' }, (line, tally) => {
    const found = SUMMARY.exec(line);
    if (found?.[1] && found[2]) tally.add(found[1], found[2]);
  });
