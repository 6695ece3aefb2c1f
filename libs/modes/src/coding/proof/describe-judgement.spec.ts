import { describe, expect, it } from 'vitest';
import type { Judgement } from '#proof';
import { describeJudgement } from './describe-judgement.js';
import { checkWith, planWith } from './proof.fixture.js';

const part = (title: string, failingTests: string[] = []) => ({ title, interface: '', failingTests });
const ran = (id: string, number: number, kind: 'green' | 'assertion') => ({
  check: checkWith(id, { part: number }),
  onBase: [{ kind: 'assertion' } as const],
  onResult: [{ kind }],
  output: '',
});

const FACTS = {
  commit: 'done',
  plan: planWith({ parts: [part('one'), part('two', ['sorts']), part('three'), part('four')] }),
  checks: [ran('C-001', 1, 'green'), ran('C-002', 3, 'assertion')],
  stillFailing: ['sorts'],
  inspection: {
    commit: 'done',
    parts: [{ part: 4, isDone: true, why: 'seen' }],
    findings: [],
    tests: [],
  },
};
const failing = (rule: 'b' | 'c', what: string) => ({ rule, what, canHeal: true });
const JUDGEMENT: Judgement = {
  proven: 'no',
  failings: [failing('c', 'C-002 fails.'), failing('b', 'sorts fails.'), failing('c', 'x'.repeat(1_000))],
  notes: [],
};

describe('a judgement as an event tells it', () => {
  const told = describeJudgement(FACTS, JUDGEMENT);

  it('has the verdict, each rule that failed once, and why, shortened', () => {
    expect(told).toMatchObject({ commit: 'done', proven: 'no', rules: ['c', 'b'] });
    expect(told['failings']).toEqual([
      { rule: 'c', what: 'C-002 fails.' },
      { rule: 'b', what: 'sorts fails.' },
      { rule: 'c', what: 'x'.repeat(300) },
    ]);
  });

  it('says of each part by what it is covered and whether that passes', () => {
    expect(told['parts']).toEqual([
      { part: 1, checks: ['C-001'], tests: 0, passes: true, confirmed: null },
      { part: 2, checks: [], tests: 1, passes: false, confirmed: null },
      { part: 3, checks: ['C-002'], tests: 0, passes: false, confirmed: null },
      { part: 4, checks: [], tests: 0, passes: null, confirmed: true },
    ]);
  });
});
