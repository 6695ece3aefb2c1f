import { describe, expect, it } from 'vitest';
import { CHECK, PART, PROVEN } from './facts.fixture.js';
import { judgeProof } from './judge.js';
import type { ProofFacts } from './proof-facts.js';

const judge = (facts: Partial<ProofFacts>) => judgeProof({ ...PROVEN, ...facts });

describe('judgeProof: what a request may ask for, or an agent confirm', () => {
  it('accepts a check that the sources do not decide only if an agent confirms the part', () => {
    const beside = (inspection: { isFulfilled: boolean; reason: string } | null) =>
      judge({ parts: [{ ...PART, checks: [{ ...CHECK, isBesideSources: true }], inspection }] });
    expect(beside({ isFulfilled: true, reason: 'I read it.' }).proven).toBe('yes');
    expect(beside({ isFulfilled: false, reason: 'It is a comment.' }).proven).toBe('no');
    expect(beside(null)).toMatchObject({
      proven: 'no',
      failings: [
        { rule: 'c', canHeal: false },
        { rule: 'inspection', canHeal: false },
      ],
    });
    expect(beside(null).failings[0]?.what).toContain('no independent agent confirms the part');
  });

  it.each<[string | null, boolean]>([
    ['remove the old greeting', true],
    ['remove the script "deploy"', false],
    [null, true],
  ])('judges a removed command by the quote %j', (quote, isRefused) => {
    const request = 'Please remove the old greeting, and remove the script "deploy" too.';
    const { failings } = judge({ request, removedCommands: [{ command: 'npm run deploy', quote }] });
    expect(failings.map(({ what }) => what)).toEqual(
      isRefused ? ['This ran before the change and no longer runs: npm run deploy.'] : [],
    );
  });

  it('accepts settings that old tests need only if an agent confirms them', () => {
    const withSettings = (inspection: { isFulfilled: boolean; reason: string } | null) =>
      judge({ neededSettings: { files: ['package.json'], inspection } });
    expect(withSettings({ isFulfilled: true, reason: 'They set the rate.' }).proven).toBe('yes');
    expect(withSettings({ isFulfilled: false, reason: 'They run no test.' }).proven).toBe('no');
    expect(withSettings(null).failings[0]?.what).toBe(
      'Old tests pass only with new test settings, and no independent agent confirms these: package.json.',
    );
  });

  it('names a test without a file', () => {
    const gone = { file: '', name: 'greets', change: 'removed', quote: null } as const;
    expect(judge({ changedTests: [gone] }).failings[0]?.what).toBe(
      'The test "greets" is removed, and nothing in the request asks for that.',
    );
    expect(judge({ changedTests: [{ ...gone, quote: 'remove the old greeting' }] }).proven).toBe('yes');
    expect(judge({ changedTests: [{ ...gone, name: 'rounds', quote: 'remove the old greeting' }] }).proven).toBe('no');
  });
});

describe('judgeProof: code that looks at the environment', () => {
  const line = { file: 'a.js', line: 'if (NODE_ENV)', why: 'It does.', names: ['NODE_ENV', 'test'] };
  const request = 'Print no banner if NODE_ENV is test, and remove the old greeting.';

  it('is allowed if a quote of the request names the variable', () => {
    const doctoredCode = [{ ...line, quote: 'no banner if NODE_ENV is test' }];
    expect(judge({ request, doctoredCode }).proven).toBe('yes');
  });

  it.each(['remove the old greeting', 'if NODE_ENV is unset', null])('is refused with the quote %j', (quote) => {
    expect(judge({ request, doctoredCode: [{ ...line, quote }] }).failings).toMatchObject([{ rule: 'doctored' }]);
  });

  it('is refused if no request may ask for it', () => {
    const { names: _names, ...other } = line;
    const doctoredCode = [{ ...other, quote: 'no banner if NODE_ENV is test' }];
    expect(judge({ request, doctoredCode }).proven).toBe('no');
  });
});
