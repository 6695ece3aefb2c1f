import { describe, expect, it } from 'vitest';
import { admitDecision } from '../classic/admit-decision.js';
import { planPrompt } from '../classic/classic.prompt.js';
import { admitAtWorkGates } from '../work/admit-decision.js';
import { workPlanPrompt } from '../work/plan.prompt.js';
import { joinedFeedback, LONGEST_FEEDBACK, MOST_FEEDBACK } from './feedback-room.js';

const long = 'x'.repeat(LONGEST_FEEDBACK);
const said = (feedback: string, decision = 'revise') => ({ gate: 'plan', decision, feedback });

describe.each([
  ['work', admitAtWorkGates],
  ['classic', admitDecision],
])('feedback on the plans of %s mode', (_mode, admit) => {
  it('is refused where a planner could not be told all of it, with how much is left', () => {
    const context = { feedback: [long, long, long, long] };
    expect(() => admit(said('y'.repeat(MOST_FEEDBACK - 4 * (LONGEST_FEEDBACK + 2))), context)).not.toThrow();
    for (const decision of ['revise', 'approve']) {
      expect(() => admit(said(long, decision), context)).toThrow(
        expect.objectContaining({ code: 'FEEDBACK_TOO_LONG', details: { left: 19_992 } }),
      );
    }
    expect(() => admit(said('More.'), { feedback: [long, long, long, long, long] })).toThrow(/at most 0/);
    expect(() => admit({ gate: 'plan', decision: 'approve' }, { feedback: [long, long, long, long, long] })).not.toThrow(); // prettier-ignore
  });
});

it('is told to planners whole, however much of it there is', () => {
  const all = Array.from({ length: 4 }, (_, nth) => `${String(nth)}${long.slice(20)}, and that is ${String(nth)}`);
  const feedback = joinedFeedback([...all, 'z'.repeat(MOST_FEEDBACK - joinedFeedback(all).length - 2)]);
  expect(feedback).toHaveLength(MOST_FEEDBACK);
  const known = { request: 'r', memories: [], feedback, before: '' };
  expect(planPrompt.render({ ...known, settled: '', team: [] })).toContain(feedback);
  expect(workPlanPrompt.render({ ...known, domains: [], team: [], skills: [], files: [], done: [] })).toContain(
    feedback,
  );
});
