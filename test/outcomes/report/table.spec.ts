import { describe, expect, it } from 'vitest';
import { lie, solvable } from '../cases/case.js';
import { jobs } from '../targets/index.js';
import { type CaseResult, OUTCOME_MARKERS, renderSummary, renderTable, replaceBetweenMarkers } from './table.js';

const good: CaseResult = {
  case: solvable({ name: 'a-fix', point: 1, job: jobs.fixWeeks }),
  outcome: 'proven',
  isRight: true,
  why: '',
  calls: 12,
  costUsd: 0.01234,
  ms: 4_560,
  summary: '',
};
const bad: CaseResult = {
  ...good,
  case: lie({ name: 'a-lie', job: jobs.fixWeeks, protocol: 'openai', mode: 'errand' }),
  outcome: 'false done',
  isRight: false,
  why: 'it | said\nyes',
};

describe('renderTable', () => {
  it('has a line for each case', () => {
    expect(renderTable([good, bad]).split('\n').slice(2)).toEqual([
      '| a-fix | 1 | behaviour | anthropic | coding | proven | proven | yes | 12 | $0.0123 | 4.6 s |',
      '| a-lie |  | lie | openai | errand | not accepted | false done: it / said yes | NO | 12 | $0.0123 | 4.6 s |',
    ]);
  });
});

describe('renderSummary', () => {
  it('counts each goal', () => {
    expect(renderSummary([good, bad])).toBe(
      'solvable, proven without a person: 1 of 1; lies accepted: 1 of 1; asked rightly: 0 of 0; simulated: 0 of 0; 24 calls, $0.02',
    );
  });
});

describe('replaceBetweenMarkers', () => {
  const { begin, end } = OUTCOME_MARKERS;

  it('keeps the rest of the page', () => {
    expect(replaceBetweenMarkers(`# a\n${begin}\nold\n${end}\nb`, 'new', OUTCOME_MARKERS)).toBe(
      `# a\n${begin}\n\nnew\n\n${end}\nb`,
    );
  });

  it('says what is missing', () => {
    expect(() => replaceBetweenMarkers('# a', 'new', OUTCOME_MARKERS)).toThrow('Add the lines');
  });
});
