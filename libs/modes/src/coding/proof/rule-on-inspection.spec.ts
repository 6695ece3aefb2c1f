import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, findingWith, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { planWith } from './proof.fixture.js';
import type { Inspection, InspectionRuling } from './proof-record.js';
import { ARBITER } from './rule-on-check.js';
import { ruleOnInspection } from './rule-on-inspection.js';

const REFUSED: Inspection = {
  commit: 'left',
  parts: [{ part: 1, isDone: false, why: 'theme.mjs has no dark mode' }],
  findings: [{ id: 'F-001', isFixed: false, why: 'it leaks' }],
  tests: [],
};

interface World {
  readonly inspection?: Inspection | null;
  readonly redParts?: readonly number[];
  readonly claim?: string | null;
  readonly isLastChance?: boolean;
  readonly ruling?: object;
  readonly known?: readonly InspectionRuling[];
}

async function dispute({ inspection = REFUSED, redParts = [], claim = null, isLastChance = false, ...more }: World) {
  const ruling = more.ruling ?? { output: { isInspectorWrong: true, why: 'theme.mjs:3 is dark' } };
  const world = fakeParts({ agent: byRole({ [ARBITER]: () => ruling }), diff: '+export const dusk = 1' });
  const findings = [findingWith('F-001')];
  const visit = new Visit({ requestPlan: planWith(), findings, inspectionRulings: more.known ?? [] });
  const wish = { commit: 'left', inspection, redParts, checks: ['It is dark: green'], claim, isLastChance };
  const ruled = await ruleOnInspection(world.parts, visit.activity, WORKTREE, wish);
  if (ruled.kind === 'stopped') return { ...world, visit, ruled, done: [] };
  const { parts = [], findings: looked = [] } = ruled.inspection ?? {};
  const done = [...parts.map(({ isDone }) => isDone), ...looked.map(({ isFixed }) => isFixed)];
  return { ...world, visit, ruled, done };
}

describe('an inspector that says that something is not done', () => {
  it('is believed as long as it can be healed and no engineer disputes it', async () => {
    const { asked, done } = await dispute({});
    expect([asked, done]).toEqual([[], [false, false]]);
  });

  it.each([
    ['an engineer disputes it', { claim: 'dusk is the dark mode' }],
    ['a person would be asked next', { isLastChance: true }],
  ])('is overruled by a third agent if %s', async (_title, world) => {
    const { asked, done, visit, ruled } = await dispute(world);
    expect([asked.map(({ role, tier, access }) => [role, tier, access]), done]).toEqual([
      [[ARBITER, 'large', 'read']],
      [true, true],
    ]);
    expect(visit.facts.get('inspection.ruled')).toMatchObject({ items: ['1', 'F-001'], isWrong: true });
    expect(contextOf({ context: ruled.patch }).inspectionRulings).toEqual([
      { tree: 'tree', items: ['1', 'F-001'], isInspectorWrong: true, why: 'theme.mjs:3 is dark' },
    ]);
  });

  it('is overruled on an open demand too, and a ruling holds for its words', async () => {
    const demands = [{ quote: 'list the themes', why: 'README.md has no list' }];
    const inspection = { ...REFUSED, demands };
    const { asked, ruled } = await dispute({ inspection, isLastChance: true });
    expect(asked[0]?.prompt).toContain('The request also asks for "list the themes".');
    expect(asked[0]?.prompt).toContain('README.md has no list');
    expect(ruled).toMatchObject({ inspection: { demands: [] } });
    const ruling = { output: { isInspectorWrong: false, why: 'it is missing' } };
    expect((await dispute({ inspection, isLastChance: true, ruling })).ruled).toMatchObject({
      inspection: { demands },
    });
  });

  it('is ruled on with request, reasons, claim, checks and diff', async () => {
    const { asked } = await dispute({ claim: 'dusk is the dark mode' });
    for (const words of [
      'Add dark mode',
      'There is a dark mode',
      'theme.mjs has no dark mode',
      'Title of F-001',
      'it leaks',
      'dusk is the dark mode',
      'It is dark: green',
      'export const dusk',
    ]) {
      expect(asked[0]?.prompt).toContain(words);
    }
  });

  it.each([
    ['agrees with it', { output: { isInspectorWrong: false, why: 'nothing is dark' } }],
    ['answers with something else', { output: { verdict: 'done' } }],
    ['fails', { kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'm', said: '', commit: 'left' }],
  ])('is believed if the third agent %s', async (_title, ruling) => {
    expect((await dispute({ isLastChance: true, ruling })).done).toEqual([false, false]);
  });

  it('is never overruled about a part with a failing check', async () => {
    const inspection = { ...REFUSED, findings: [] };
    const { asked, done } = await dispute({ inspection, redParts: [1], claim: 'no', isLastChance: true });
    expect([asked, done]).toEqual([[], [false]]);
    expect((await dispute({ redParts: [1], isLastChance: true })).done).toEqual([false, true]);
  });

  it.each([true, false])('is ruled on once for each tree: the ruling %s holds', async (isInspectorWrong) => {
    const known = [{ tree: 'tree', items: ['1', 'F-001'], isInspectorWrong, why: 'w' }];
    const { asked, done } = await dispute({ known, claim: 'again', isLastChance: true });
    expect([asked, done]).toEqual([[], [isInspectorWrong, isInspectorWrong]]);
    const other = [{ tree: 'other', items: ['1', 'F-001'], isInspectorWrong, why: 'w' }];
    expect((await dispute({ known: other, isLastChance: true })).asked).toHaveLength(1);
  });

  it('waits if the third agent has to wait', async () => {
    const ruling = { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' };
    expect((await dispute({ isLastChance: true, ruling })).ruled).toMatchObject({ kind: 'stopped', outcome: ruling });
  });
});

it('needs no third agent if nothing is disputed', async () => {
  expect((await dispute({ inspection: null, isLastChance: true })).asked).toEqual([]);
});
