import { describe, expect, it } from 'vitest';
import type { Judgement } from '#proof';
import type { CheckFacts } from './run-checks.js';
import { sortChangedFiles } from './changed-files.js';
import { NOT_RUN } from './base-tests.js';
import type { GatheredFacts } from './gather-facts.js';
import { NO_PACKAGES } from './package-tests.js';
import { ProofRecord } from './proof-record.js';
import { checkWith, failingRun, planWith } from './proof.fixture.js';
import { describeFailings, recordOf } from './record-proof.js';

const JUDGEMENT: Judgement = { proven: 'yes', failings: [], notes: ['a note'] };
const GREEN: CheckFacts = {
  check: checkWith('C-001'),
  onBase: [{ kind: 'assertion' }],
  onResult: [{ kind: 'green' }, { kind: 'green' }],
  output: '',
};
const comparison = { isNoWorse: true, newFailures: [], oldFailures: [], worst: null };
const factsWith = (more: Partial<GatheredFacts> = {}): GatheredFacts => ({
  commit: 'done',
  plan: planWith({ scope: [{ name: 'rounds', reason: 'r' }] }),
  verification: { result: failingRun(), comparison, flaky: [] },
  diff: { files: [], patch: '', isCut: false },
  changed: sortChangedFiles({ files: [] }),
  packages: NO_PACKAGES,
  baseTests: NOT_RUN,
  ...{ stillFailing: [], flaky: [], checks: [], lostTests: [], changedTests: [], doctored: [], unrunTestFiles: [] },
  ...{ needsReader: true, inspection: null, mutant: null },
  ...more,
});
const record = (more: Partial<GatheredFacts> = {}, baseline = failingRun('rounds')): ProofRecord =>
  recordOf(factsWith(more), JUDGEMENT, baseline);

describe('the record of a proof', () => {
  it('fits its schema, with the commit and the notes of the judge', () => {
    expect(ProofRecord.parse(record())).toMatchObject({
      commit: 'done',
      proven: 'yes',
      notes: ['a note'],
      failings: [],
    });
  });

  it('lists what failed before and passes now, with its command', () => {
    expect(record({ checks: [GREEN] }).evidence).toEqual([
      'The test "rounds" failed before and passes now. Command: npm test',
      'The check "The theme of C-001 is dark" failed before and passes now. Command: node .qralph-checks/C-001.mjs (its files are in CHECKS.md)',
    ]);
  });

  it('lists no check that is not green twice, and no failure that is still there or flaky', () => {
    const mixed: CheckFacts = { ...GREEN, onResult: [{ kind: 'green' }, { kind: 'assertion' }] };
    expect(record({ checks: [mixed], stillFailing: ['rounds'] }).evidence).toEqual([]);
    expect(record({ flaky: ['rounds'] }).evidence).toEqual([]);
    expect(record({ unseen: ['rounds'] }).evidence).toEqual([]);
    const greenOnBase: CheckFacts = { ...GREEN, onBase: [{ kind: 'assertion' }, { kind: 'green' }] };
    expect(record({ checks: [greenOnBase], stillFailing: ['rounds'] }).evidence).toEqual([]);
  });

  it('lists what an independent agent confirmed, and wrong variants that new tests caught', () => {
    const part = { part: 1, isDone: true, why: 'it is there' };
    const inspection = { commit: 'done', parts: [part, { ...part, part: 2, isDone: false }], findings: [], tests: [] };
    const mutant = { kind: 'tried', isKilled: true, summary: 'rounds down' } as const;
    expect(record({ inspection, mutant, stillFailing: ['rounds'] }).evidence).toEqual([
      'An agent that did not write the change confirmed "There is a dark mode": it is there',
      'The new tests fail on a wrong variant of the code: rounds down',
    ]);
    expect(record({ mutant: { ...mutant, isKilled: false }, stillFailing: ['rounds'] }).evidence).toEqual([]);
  });

  it('lists known failures: failing before and now, not in scope, not flaky', () => {
    const verification = { result: failingRun('old', 'mixed', 'rounds'), comparison, flaky: [] };
    const baseline = failingRun('old', 'mixed', 'rounds', 'fixed by chance');
    expect(record({ verification, flaky: ['mixed'] }, baseline)).toMatchObject({
      knownFailures: ['old'],
      flaky: ['mixed'],
    });
  });

  it('says what speaks against a proof', () => {
    const failings = [
      { rule: 'a', what: 'A test fails.', canHeal: true },
      { rule: 'c', what: 'No check.', canHeal: false },
    ] as const;
    expect(describeFailings({ ...JUDGEMENT, failings })).toBe('A test fails. No check.');
    expect(recordOf(factsWith(), { ...JUDGEMENT, failings }, failingRun()).failings).toEqual([
      { rule: 'a', what: 'A test fails.' },
      { rule: 'c', what: 'No check.' },
    ]);
  });
});
