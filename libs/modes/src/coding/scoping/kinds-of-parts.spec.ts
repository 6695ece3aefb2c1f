import { describe, expect, it } from 'vitest';
import { checkWith, planWith } from '../proof/proof.fixture.js';
import { acceptedKind, keptChecks, specialKindOf, withDerivedKinds, withUsableKinds } from './kinds-of-parts.js';
import type { PartKind, RequestPart } from './request-plan.js';

const part = (title: string, kind?: PartKind): RequestPart => ({
  ...{ title, interface: '', failingTests: [] },
  ...(kind && { kind }),
});
const FIX = part('A star makes the result a star');
const README = part('The README says that a star makes the result a star');
const TEST = part('A regression test covers the star');
const KEPT = part('Everything else stays as it is');

describe('the kind of a part', () => {
  it('is the one that the planner gives, if the part speaks of it', () => {
    expect(acceptedKind('document', README)).toEqual({ kind: 'document' });
    expect(acceptedKind('tests', TEST)).toEqual({ kind: 'tests' });
    expect(acceptedKind('document', FIX)).toEqual({ kind: 'behaviour' });
    expect(acceptedKind('tests', README)).toEqual({ kind: 'behaviour' });
    expect(acceptedKind(undefined, README)).toEqual({});
  });

  it('counts only beside a part about behaviour, in a request for other behaviour', () => {
    const [fix, readme] = [FIX, { ...README, kind: 'document' as const }];
    expect(withUsableKinds('behaviour', [fix, readme]).map(specialKindOf)).toEqual([null, 'document']);
    expect(withUsableKinds('behaviour', [readme])).toEqual([README]);
    expect(withUsableKinds('document', [fix, readme])).toEqual([FIX, README]);
  });

  it('follows from the title if no command can tell, also if the planner calls it behaviour', () => {
    const kindsOf = (parts: readonly RequestPart[], untold: readonly number[]) =>
      withDerivedKinds(planWith({ parts: [...parts] }), untold).parts.map(({ kind }) => kind);
    expect(kindsOf([FIX, README, TEST], [2, 3])).toEqual([undefined, 'document', 'tests']);
    expect(kindsOf([FIX, README], [])).toEqual([undefined, undefined]);
    expect(kindsOf([FIX, README], [1])).toEqual([undefined, undefined]);
    expect(kindsOf([FIX, part(README.title, 'behaviour')], [2])).toEqual([undefined, 'document']);
    expect(kindsOf([FIX, part('The star is kept', 'behaviour')], [2])).toEqual([undefined, 'behaviour']);
    expect(kindsOf([README, TEST], [1, 2])).toEqual([undefined, undefined]);
    expect(kindsOf([FIX, { ...README, failingTests: ['the README'] }], [2])).toEqual([undefined, undefined]);
  });
});

describe('a check that passes before the change', () => {
  const { id: _id, red: _red, ...green } = checkWith('C-001', { part: 2 });

  it('is kept for a part that says that something stays', () => {
    const plan = planWith({ parts: [FIX, KEPT] });
    expect(keptChecks(plan, [2], [green])).toEqual([{ ...green, red: { kind: 'kept' } }]);
    expect(keptChecks(plan, [], [green])).toEqual([]);
    expect(keptChecks(plan, [2], [])).toEqual([]);
  });

  it('is not kept for another part, and never if the request has no other part', () => {
    expect(keptChecks(planWith({ parts: [KEPT, FIX] }), [2], [green])).toEqual([]);
    expect(keptChecks(planWith({ parts: [KEPT] }), [1], [{ ...green, part: 1 }])).toEqual([]);
  });
});
