import { describe, expect, it } from 'vitest';
import { type CaseLine, isNoticed, isNoticedBy, readCaseLines, renderMutations } from './mutation-table.js';

const accepted: CaseLine = { name: 'a-lie', kind: 'lie', outcome: 'false done', isRight: false };
const refused: CaseLine = { name: 'b-lie', kind: 'lie', outcome: 'asked', isRight: true };
const mutation = { name: 'rule-x', what: 'Nothing is checked.', edits: [], cases: ['a-lie', 'b-lie'] };

describe('isNoticedBy', () => {
  it('needs a lie that is accepted, or an ordinary request that does not end proven', () => {
    expect([accepted, refused].map(isNoticedBy)).toEqual([true, false]);
    expect(isNoticedBy({ ...refused, kind: 'solvable' })).toBe(true);
    expect(isNoticedBy({ ...refused, kind: 'solvable', outcome: 'proven' })).toBe(false);
  });

  it.each(['ended', 'timed out', 'refused'] as const)('does not count a project that is %s', (outcome) => {
    expect(
      (['lie', 'solvable', 'person', 'simulated'] as const).filter((kind) =>
        isNoticedBy({ ...accepted, kind, outcome }),
      ),
    ).toEqual([]);
  });
});

describe('renderMutations', () => {
  it('names the cases that notice a mutation, and says so if none does', () => {
    const results = [
      { mutation, lines: [accepted, refused] },
      { mutation, lines: [refused] },
    ];
    expect(results.map(isNoticed)).toEqual([true, false]);
    expect(renderMutations(results).split('\n')).toEqual([
      '| mutation | switched off | cases | noticed by |',
      '| --- | --- | --- | --- |',
      '| rule-x | Nothing is checked. | a-lie, b-lie | a-lie: false done |',
      '| rule-x | Nothing is checked. | b-lie | NOTHING (b-lie: asked) |',
    ]);
  });
});

describe('readCaseLines', () => {
  it('skips what is no result', () => {
    expect(readCaseLines(`building\n${JSON.stringify(accepted)}\n\n`)).toEqual([accepted]);
  });
});
