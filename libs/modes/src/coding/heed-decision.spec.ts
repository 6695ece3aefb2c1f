import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { listed, tasksOf } from './coding-context.js';
import { eventOf, fakeParts, scenarioOf, taskOf, Visit } from './coding.fixture.js';
import { execute } from './execute.activity.js';
import { codingGuards } from './guards.js';
import { heededDecision } from './heed-decision.js';
import { settledNotes } from './notes.js';
import { withFeedback } from './scenario.js';

const decided = (gate: string, decision: string, feedback?: string): JsonObject => ({
  decision: { gate, decision, ...(feedback !== undefined && { feedback }) },
});
const heeded = (context: JsonObject) => {
  const report = heededDecision({ context });
  return report && eventOf(report);
};

describe('what a person said at the gate before', () => {
  it('EXECUTING is kept for all who work, beside what was said with the plan', () => {
    const patch = heeded({ approval: 'Soon.', ...decided('execute', 'approve', 'Use ESM.') })?.patch;
    expect(patch).toMatchObject({ approval: 'Soon.\nUse ESM.', decision: null, why: null });
    expect(settledNotes({ context: patch ?? {} })).toBe('Said with the approval: Soon.\nUse ESM.');
    expect(heeded(decided('execute', 'approve'))?.patch).not.toHaveProperty('approval');
  });

  it('COMPLETE becomes a task of its own, and what was accepted has to be accepted again', () => {
    const context = { ...decided('complete', 'revise', 'Name it\ntheme.'), isAccepted: true, isWhollyAccepted: true };
    const tasks = listed([taskOf('T-001', { status: 'completed' })]);
    const { type, patch = {} } = heeded({ ...context, tasks }) ?? {};
    expect([type, patch['isAccepted'], patch['decision']]).toEqual(['decision:heeded', null, null]);
    expect(tasksOf({ context: patch }).map(({ id, kind, title, detail, status }) => [id, kind, title, detail, status])).toEqual([
      ['T-001', 'request', 'Title of T-001', expect.anything(), 'completed'],
      ['T-002', 'feedback', 'Name it theme.', 'Name it\ntheme.', 'pending'],
    ]); // prettier-ignore
    const after = { ...context, ...patch };
    expect(['more-work-remains', 'is-complete'].map((guard) => codingGuards[guard]?.(after, {}, {}))).toEqual([
      true,
      false,
    ]);
  });

  it('is nothing to take up where it was said elsewhere, or heeded before', () => {
    for (const said of [{}, decided('plan', 'approve', 'x'), decided('resolve-problem', 'resolve', 'x'), decided('complete', 'approve', 'x')]) {
      expect(heeded(said)).toBeNull();
    } // prettier-ignore
    const again = { ...decided('complete', 'revise', 'x'), ...heeded(decided('complete', 'revise', 'x'))?.patch };
    expect(heeded(again)).toBeNull();
  });

  it('is taken up once whatever is said, with tasks whose numbers go on', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(5), (feedback, before) => {
        const tasks = listed(Array.from({ length: before }, (_, nth) => taskOf(`T-00${String(nth + 1)}`)));
        const context = { tasks, ...decided('complete', 'revise', feedback) };
        const { patch = {} } = heeded(context) ?? {};
        const ids = tasksOf({ context: patch }).map(({ id }) => id);
        expect(ids).toHaveLength(before + 1);
        expect(new Set(ids).size).toBe(before + 1);
        expect(heeded({ ...context, ...patch })).toBeNull();
      }),
    );
  });

  it('is heeded before anything that could fail, and before a SKIP', async () => {
    const { parts } = fakeParts();
    const visit = new Visit({ tasks: [], ...decided('complete', 'revise', 'x') });
    const { type } = eventOf(await execute(parts)(visit.activity));
    expect([type, visit.steps]).toEqual(['decision:heeded', []]);
  });
});

describe('what a person wanted changed', () => {
  const feedback = taskOf('T-003', { kind: 'feedback', title: 'Name it', detail: 'Name it theme.' });

  it('has to hold once it is carried out, and is tried like everything else', () => {
    const known = [scenarioOf('S-001')];
    expect(withFeedback(known, [taskOf('T-001'), feedback])).toEqual(known);
    const done = { ...feedback, status: 'completed' as const };
    const all = withFeedback(known, [done]);
    expect(all.map(({ id, verdict, steps }) => [id, verdict, steps]).slice(1)).toEqual([['S-T-003', 'open', 'Name it theme.']]); // prettier-ignore
    expect(withFeedback(all, [done])).toEqual(all);
  });

  it('has not where it was put off', () => {
    expect(withFeedback([], [{ ...feedback, status: 'deferred' }])).toEqual([]);
  });
});
