import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { scenarioOf } from './coding.fixture.js';
import type { Scenario } from './scenario.js';
import { standing } from './scenario-standing.js';

const TREE = 'tree';
const verdicts = (context: Readonly<Record<string, Json>>, scenarios: readonly Scenario[]): string[] =>
  standing({ context, state: 'UAT', visit: 5 }, scenarios, TREE).map(({ verdict }) => verdict);
const on = (verdict: Scenario['verdict'], triedOn: string | null = TREE, id = 'S-001'): Scenario =>
  scenarioOf(id, { verdict, triedOn, because: 'seen', evidence: null });

const SKIP = { command: { command: 'SKIP', state: 'UAT', visit: 4 } };
const resolved = (cause: string, decision: string): Readonly<Record<string, Json>> => ({
  block: { cause },
  decision: { gate: 'resolve-problem', decision },
});

describe('a scenario that was tried', () => {
  it('stands on the tree that it was tried on', () => {
    expect(verdicts({}, [on('passed'), on('failed')])).toEqual(['passed', 'failed']);
  });

  it('is open again on any other, and nothing of its evidence is left', () => {
    const [one] = standing({ context: {}, state: 'UAT', visit: 5 }, [on('passed', 'older')], TREE);
    expect(one).toMatchObject({ verdict: 'open', because: '', triedOn: null, evidence: null, by: null });
  });

  it('stays skipped or waived, whatever the tree', () => {
    expect(verdicts({}, [on('skipped', null), on('waived', 'older')])).toEqual(['skipped', 'waived']);
  });

  it('is tried again where it failed and a person resolved the block of acceptance', () => {
    for (const decision of ['resolve', 'RETRY']) {
      expect(verdicts(resolved('uat', decision), [on('failed'), on('passed')])).toEqual(['open', 'passed']);
    }
    expect(verdicts(resolved('uat', 'defer'), [on('failed')])).toEqual(['failed']);
    expect(verdicts(resolved('agent', 'resolve'), [on('failed')])).toEqual(['failed']);
  });
});

describe('SKIP', () => {
  it('means the current scenario alone', () => {
    expect(verdicts(SKIP, [on('passed'), on('open', null, 'S-002'), on('open', null, 'S-003')])).toEqual([
      'passed',
      'skipped',
      'open',
    ]);
  });

  it('in an earlier visit, or of another state, is over', () => {
    const older = { command: { command: 'SKIP', state: 'UAT', visit: 3 } };
    const other = { command: { command: 'SKIP', state: 'EXECUTING', visit: 4 } };
    for (const context of [older, other]) expect(verdicts(context, [on('open', null)])).toEqual(['open']);
  });
});

it('nothing passes by standing still', () => {
  const verdict = fc.constantFrom('open', 'passed', 'failed', 'skipped', 'waived' as const);
  const tried = fc.constantFrom(TREE, 'older', null);
  const context = fc.constantFrom({}, SKIP, resolved('uat', 'resolve'), resolved('uat', 'RETRY'));
  fc.assert(
    fc.property(fc.array(fc.tuple(verdict, tried)), context, (given, known) => {
      const before = given.map(([one, tree], nth) => on(one, tree, `S-${String(nth)}`));
      verdicts(known, before).forEach((after, nth) => {
        if (after === 'passed') expect(before[nth]).toMatchObject({ verdict: 'passed', triedOn: TREE });
      });
    }),
  );
});
