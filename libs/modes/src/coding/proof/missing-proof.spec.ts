import { describe, expect, it } from 'vitest';
import type { Judgement } from '#proof';
import type { GatheredFacts } from './gather-facts.js';
import { describeMissingProof } from './missing-proof.js';
import { NO_PACKAGES } from './package-tests.js';
import { failingRun } from './proof.fixture.js';

const JUDGEMENT: Judgement = {
  proven: 'no',
  failings: [
    { rule: 'c', what: 'The check still fails.', canHeal: true },
    { rule: 'inspection', what: 'No agent has read the change.', canHeal: false },
  ],
  notes: [],
};
const NOT_RUN = { wereRun: false, newFailures: [], failing: [], lost: [], output: '' };
type Shown = Pick<GatheredFacts, 'checks' | 'packages' | 'baseTests'>;

const check = (id: string, kind: 'green' | 'assertion'): Shown['checks'][number] => ({
  check: {
    id,
    part: 1,
    title: id,
    command: `node ${id}.mjs`,
    files: [],
    red: { kind: 'assertion' },
    isAdapted: false,
    dropped: null,
  },
  onBase: [{ kind: 'assertion' }],
  onResult: [{ kind }, { kind }],
  output: `${id} printed this`,
});

describe('describeMissingProof', () => {
  it('names what can be healed, and nothing else', () => {
    const { newFailures, isCheck } = describeMissingProof(
      { checks: [], packages: NO_PACKAGES, baseTests: NOT_RUN },
      JUDGEMENT,
    );
    expect(newFailures).toEqual(['The check still fails.']);
    expect(isCheck).toBe(true);
  });

  it('names at most a hundred things: every checkpoint carries them', () => {
    const failings = Array.from(
      { length: 500 },
      (_, nth) => ({ rule: 'd', what: String(nth), canHeal: true }) as const,
    );
    const { newFailures } = describeMissingProof(
      { checks: [], packages: NO_PACKAGES, baseTests: NOT_RUN },
      { ...JUDGEMENT, failings },
    );
    expect(newFailures).toHaveLength(100);
  });

  it('shows the output of failing checks, of touched packages and of the old tests', () => {
    const baseTests = { ...NOT_RUN, newFailures: ['greets'], output: 'not ok 1 - greets' };
    const packages = { ...NO_PACKAGES, newFailures: ['helps'], result: failingRun('helps') };
    const facts: Shown = { checks: [check('C-001', 'green'), check('C-002', 'assertion')], packages, baseTests };
    const output = describeMissingProof(facts, JUDGEMENT).worst?.output;
    expect(output).toContain('$ node C-002.mjs\nC-002 printed this');
    expect(output).not.toContain('C-001');
    expect(output).toContain('$ npm test\nnot ok 1 - helps');
    expect(output).toContain('The old tests on the new code:\nnot ok 1 - greets');
  });

  it('shows the files of a failing check, so that an agent can say that it is wrong', () => {
    const { check: written, ...facts } = check('C-001', 'assertion');
    const red = { ...facts, check: { ...written, files: [{ path: 'c.mjs', content: 'assert(isDark)' }] } };
    const { worst, checkFiles } = describeMissingProof(
      { checks: [red], packages: NO_PACKAGES, baseTests: NOT_RUN },
      JUDGEMENT,
    );
    expect(checkFiles).toBe('--- c.mjs\nassert(isDark)');
    // What the files say did not happen.
    expect(worst?.output).not.toContain('isDark');
  });
});
