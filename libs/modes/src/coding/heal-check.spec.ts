import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import { stepManner } from '../work/step-manner.js';
import { eventOf, fakeParts, problemOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { heal } from './heal.activity.js';

const TEXT = 'The toggle switches between the light theme and the dark one.';
const estimate = { low: 1, expected: 1, high: 1 };
const step = {
  task: 'T-001', title: 'Write it', detail: '', owner: 'docs-writer', skills: [], check: 'It says what it is.', command: null,
  file: 'a.md', cents: estimate, minutes: estimate,
}; // prettier-ignore

describe('the check of a step, in SELF_HEAL after a block', () => {
  it('is made anew of what the attempt left: what a person left was another thing', async () => {
    const files: Record<string, string> = { 'a.md': '# A\n\nTODO' };
    const agent = ({ role }: AgentTask) => {
      if (role === 'healer') files['a.md'] = TEXT;
      const output = { verdict: 'pass', observation: 'seen', evidence: [{ file: 'a.md', quote: TEXT }], findings: [] };
      return role === 'checker' ? { output } : { commit: 'mended' };
    };
    const { parts } = fakeParts({ changed: ['a.md'], files, agent });
    const visit = new Visit(
      {
        baseline: verifiedAs('passed'), commit: 'now', good: { commit: 'base', checkpoint: 1 }, plan: { steps: [step] },
        problems: [problemOf('P-001')], problem: 'P-001', trouble: { output: 'boom' },
        tasks: [taskOf('T-001', { kind: 'step', status: 'in_progress' })],
        block: { cause: 'never-healed' }, decision: { gate: 'resolve-problem', decision: 'resolve' },
      },
      { state: 'SELF_HEAL', counters: { 'heal-attempts/P-001': 1 } },
    ); // prettier-ignore
    const { type, data } = eventOf(await heal(parts, () => stepManner(parts))(visit.activity));
    expect([type, data['attempt']]).toEqual(['problem:fixed', 1]);
  });
});
