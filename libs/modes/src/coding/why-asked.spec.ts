import { describe, expect, it } from 'vitest';
import { findingWith, scenarioOf, taskOf } from './coding.fixture.js';
import { whyBeforeCompletion, whyBeforeWork } from './why-asked.js';

const on = (...gates: string[]) => ({ gatesOn: gates });
const tasks = [taskOf('T-001', { kind: 'review' }), taskOf('T-002', { title: 'Add it', status: 'completed', commit: 'a'.repeat(40) })]; // prettier-ignore
const findings = [findingWith('F-001', { priority: 'P0' }), findingWith('F-002', { priority: 'P2' })];

describe('whoever is asked', () => {
  it('before the work reads what was found and what is to be done', () => {
    const why = 'The reviews found 1 P0, 0 P1 and 1 P2. To be done, as in PLAN.md:\nT-002 Add it';
    expect(whyBeforeWork(on('execute'), false, { findings, tasks })).toBe(why);
    expect(whyBeforeWork(on('complete'), true, { findings, tasks })).toContain('In the plan, as in PLAN.md:\nT-002');
  });

  it('before COMPLETE reads what was done and how it was accepted', () => {
    const why = whyBeforeCompletion(on('complete'), { scenarios: [scenarioOf('S-001', { verdict: 'passed' })], tasks });
    expect(why).toContain(
      'What was done:\nT-002 Add it: completed (aaaaaaaaaaaa)\n\n' +
        'How it was accepted, as in UAT.md:\nS-001 Title of S-001: passed\n\n',
    );
    expect(why).toContain('What is changed in the worktree from now on is not what was accepted');
  });

  it('is nobody where no gate is on', () => {
    expect(whyBeforeWork({}, false, { findings, tasks })).toBeNull();
    expect(whyBeforeWork(on('complete'), false, { findings, tasks })).toBeNull();
    expect(whyBeforeCompletion(on('execute'), { scenarios: [], tasks })).toBeNull();
  });

  it('is told how much more there is than one can read', () => {
    const many = Array.from({ length: 100 }, (_, nth) => taskOf(`T-${String(nth)}`, { title: 'x'.repeat(5_000) }));
    const why = whyBeforeWork(on('execute'), false, { findings, tasks: many }) ?? '';
    expect(why.length).toBeLessThan(15_000);
    expect(why).toMatch(/\nand 60 more$/);
  });
});
