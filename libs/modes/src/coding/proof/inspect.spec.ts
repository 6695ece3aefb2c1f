import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, findingWith, Visit, WORKTREE } from '../coding.fixture.js';
import { inspect, INSPECTOR, type InspectionWish } from './inspect.js';
import { planWith } from './proof.fixture.js';

const EMPTY = { parts: [], findings: [], tests: [] };

async function look(more: Partial<InspectionWish>, ...given: readonly object[]) {
  const requestPlan = given.find((one) => 'steps' in one) ?? planWith();
  const left = given.filter((one) => one !== requestPlan);
  const world = fakeParts({ agent: byRole({ [INSPECTOR]: () => left.shift() ?? {} }), diff: '+export const dusk = 1' });
  const visit = new Visit({ requestPlan, findings: [findingWith('F-001'), findingWith('F-002')] });
  const wish = { from: 'base', commit: 'done', parts: [], findings: [], tests: [], step: 'inspect', ...more };
  return { ...world, visit, inspected: await inspect(world.parts, visit.activity, WORKTREE, wish) };
}

describe('inspect', () => {
  it('asks no agent if there is nothing to inspect', async () => {
    const { inspected, asked } = await look({});
    expect([inspected, asked]).toEqual([{ kind: 'done', inspection: null, patch: {} }, []]);
  });

  it('shows an agent that cannot write request, parts, findings, tests and diff', async () => {
    const { asked } = await look({ parts: [1], findings: ['F-001'], tests: ['a.test.mjs: rounds'] }, { output: EMPTY });
    expect(asked[0]).toMatchObject({ role: INSPECTOR, tier: 'medium', access: 'read' });
    const { prompt } = asked[0] ?? { prompt: '' };
    for (const words of ['Add dark mode', '1. There is a dark mode', 'Title of F-001', 'rounds', 'dusk']) {
      expect(prompt).toContain(words);
    }
    expect(prompt).not.toContain('F-002');
  });

  it('believes only open demands that stand in the request, if it asks for them', async () => {
    const parts = [{ part: 1, isDone: true, why: 'yes' }];
    const demands = [
      { quote: 'dark mode', why: 'w'.repeat(5_000) },
      { quote: 'dark mode', why: 'again' },
      { quote: 'add tests for it', why: 'there are none' },
    ];
    const answer = { output: { ...EMPTY, parts, demands } };
    const requestPlan = planWith({ parts: [{ title: 'The page has a switch', interface: '', failingTests: [] }] });
    const asked = await look({ parts: [1], asksForDemands: true }, answer, requestPlan);
    expect(asked.inspected).toMatchObject({ inspection: { demands: [{ quote: 'dark mode', why: 'again' }] } });
    expect(asked.asked[0]?.prompt).toContain('List the open demands');
    expect(asked.visit.facts.get('result.inspected')).toMatchObject({ demands: ['dark mode'] });
    const other = await look({ parts: [1] }, answer, requestPlan);
    expect(other.inspected.kind === 'done' ? other.inspected.inspection?.demands : []).toBe(undefined);
    expect(other.asked[0]?.prompt).not.toContain('open demands');
    const named = await look({ parts: [1], asksForDemands: true }, answer);
    expect(named.inspected.kind === 'done' ? named.inspected.inspection?.demands : []).toBe(undefined);
  });

  it('bounds what the agent says, and reports it', async () => {
    const parts = [{ part: 1, isDone: true, why: 'w'.repeat(5_000) }];
    const { inspected, visit } = await look({ parts: [1] }, { output: { ...EMPTY, parts } });
    expect(inspected).toMatchObject({ inspection: { commit: 'done', parts: [{ isDone: true }] } });
    expect(inspected.kind === 'done' ? inspected.inspection?.parts[0]?.why.length : 0).toBe(1_000);
    expect(visit.facts.get('result.inspected')).toMatchObject({ parts: ['1 done'] });
  });

  it('asks a larger model once if the answer does not fit, and has no result without a second answer', async () => {
    const unfit = { output: { verdict: 'done' } };
    const parts = [{ part: 1, isDone: true, why: 'yes' }];
    const second = await look({ parts: [1] }, unfit, { output: { ...EMPTY, parts } });
    expect(second.asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
    expect(second.inspected).toMatchObject({ inspection: { parts } });
    const none = await look({ parts: [1] }, unfit, unfit);
    expect([none.inspected, none.asked.length]).toEqual([{ kind: 'done', inspection: null, patch: {} }, 2]);
    expect((await look({ parts: [1] }, { ...unfit, isSimulated: true })).asked).toHaveLength(1);
  });

  it('asks a larger model for everything if the first answer does not fit', async () => {
    const whole = { ...EMPTY, parts: [{ part: 1, isDone: true, why: 'yes' }] };
    const { inspected, asked } = await look({ parts: [1], tests: ['a: b'] }, { output: {} }, { output: whole });
    expect([inspected, asked.map(({ tier }) => tier)]).toMatchObject([{ inspection: whole }, ['medium', 'large']]);
    expect(asked[1]?.prompt).toContain('a: b');
  });

  it('asks a larger model for findings that the first answer left out or misspelt', async () => {
    const misspelt = { ...EMPTY, findings: [{ id: 'F-1', isFixed: true, why: 'yes' }] };
    const again = { ...EMPTY, findings: [{ id: 'F-001', isFixed: false, why: 'no' }] };
    const { inspected, asked } = await look({ findings: ['F-001'] }, { output: misspelt }, { output: again });
    expect(asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
    expect(inspected.kind === 'done' ? inspected.inspection?.findings : []).toContainEqual(again.findings[0]);
  });

  it('keeps the first answer for a part, and asks a larger model only for parts that are left out', async () => {
    const first = { output: { ...EMPTY, parts: [{ part: 1, isDone: false, why: 'no' }] } };
    const again = [1, 2].map((part) => ({ part, isDone: true, why: 'yes' }));
    const { inspected, asked } = await look({ parts: [1, 2] }, first, { output: { ...EMPTY, parts: again } });
    expect(asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
    expect(inspected).toMatchObject({
      inspection: {
        parts: [
          { part: 1, isDone: false },
          { part: 2, isDone: true },
        ],
      },
    });
  });
});
