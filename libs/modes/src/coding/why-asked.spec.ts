import { describe, expect, it } from 'vitest';
import { findingWith, scenarioOf, taskOf } from './coding.fixture.js';
import { whyBeforeCompletion, whyBeforeWork } from './why-asked.js';

const on = (...gates: string[]) => ({ gatesOn: gates });
const tasks = [taskOf('T-001', { kind: 'review' }), taskOf('T-002', { title: 'Add it', status: 'completed', commit: 'a'.repeat(40) })]; // prettier-ignore
const findings = [findingWith('F-001', { priority: 'P0' }), findingWith('F-002', { priority: 'P2' })];

const request = 'Add\n  dark mode';
const proof = {
  ...{ commit: 'c', proven: 'no' as const, knownFailures: [], flaky: [], notes: [] },
  ...{ failings: [{ rule: 'c', what: 'Part 2 has no check.' }], evidence: ['C-001 passes now.'] },
};

describe('a person who is asked', () => {
  it('before the work reads what was asked, what was found, what is to be done, and the likely best answer', () => {
    expect(whyBeforeWork(on('execute'), false, { request, findings, tasks })?.split('\n\n')).toEqual([
      'What was asked: Add dark mode',
      'The reviews found 1 P0, 0 P1 and 1 P2. SYNTHESIS.md has them.',
      'To be done, as in PLAN.md:\n- T-002 Add it',
      expect.stringMatching(/^Likely best answer: .*`approve`/),
    ]);
    const plan = whyBeforeWork(on('complete'), true, { request, findings, tasks });
    expect(plan).toContain('Steps of the plan, as in PLAN.md:\n- T-002');
  });

  it('before COMPLETE reads what is done, proven, not proven and accepted', () => {
    const scenarios = [scenarioOf('S-001', { verdict: 'passed' })];
    const why = whyBeforeCompletion(on('complete'), { request, scenarios, tasks, proof });
    expect(why?.split('\n\n')).toEqual([
      'What was asked: Add dark mode',
      'Done:\n- T-002 Add it: completed (aaaaaaaaaaaa)',
      'Proven:\n- C-001 passes now.',
      'Not proven:\n- Part 2 has no check.',
      'Accepted, as in UAT.md:\n- S-001 Title of S-001: passed',
      expect.stringMatching(/^Likely best answer: .*`approve`.*`revise`.*not part of the result/),
    ]);
  });

  it('reads nothing if no gate is on', () => {
    expect(whyBeforeWork({}, false, { request, findings, tasks })).toBeNull();
    expect(whyBeforeWork(on('complete'), false, { request, findings, tasks })).toBeNull();
    expect(whyBeforeCompletion(on('execute'), { request, scenarios: [], tasks, proof: null })).toBeNull();
  });

  it('reads one screen, and how much more there is', () => {
    const many = Array.from({ length: 100 }, (_, nth) => taskOf(`T-${String(nth)}`, { title: 'x'.repeat(5_000) }));
    const why = whyBeforeWork(on('execute'), false, { request, findings, tasks: many }) ?? '';
    expect(why.length).toBeLessThan(4_000);
    expect(why).toContain('\n- and 94 more\n');
  });
});
