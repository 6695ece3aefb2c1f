import { describe, expect, it } from 'vitest';
import { ProjectTask } from '#contracts';
import { EngineBug } from '#kernel';
import { failedScenarioTasks, feedbackTasks, nextTask, planTasks, proofTask, reviewTasks, withTask } from './tasks.js';
import { foundAs, memberOf, teamOf } from './team.fixture.js';

const reviews = reviewTasks(teamOf(memberOf('sde-iii'), memberOf('ux-designer')));

describe('tasks', () => {
  it('are one for each reviewer at first', () => {
    expect(reviews.map((task) => ProjectTask.parse(task))).toEqual(reviews);
    expect(reviews.map(({ id, kind, title, owner, status }) => [id, kind, title, owner, status])).toEqual([
      ['T-001', 'review', 'Review by sde-iii', 'sde-iii-agent', 'pending'],
      ['T-002', 'review', 'Review by ux-designer', 'ux-designer-agent', 'pending'],
    ]);
  });

  it('follow the plan: findings before, steps, findings after, asides; numbers go on', () => {
    const tasks = planTasks(
      {
        before: [foundAs('F-001', 'P0', { file: 'src/a.ts', line: 3 })],
        steps: [{ title: 'Add a rate limit\nto the login', detail: 'in login.ts' }],
        after: [foundAs('F-003', 'P1')],
        asides: [],
      },
      reviews,
    );
    expect(tasks.map(({ id, kind, title, finding }) => [id, kind, title, finding])).toEqual([
      ['T-003', 'finding', 'P0: Title of F-001', 'F-001'],
      ['T-004', 'request', 'Add a rate limit to the login', null],
      ['T-005', 'finding', 'P1: Title of F-003', 'F-003'],
    ]);
    expect(tasks[0]?.detail).toBe('Body of F-001\n\nAt src/a.ts:3');
    expect(tasks[1]?.detail).toBe('in login.ts');
    const more = failedScenarioTasks([{ title: 'Sixth try is refused', detail: 'it was not' }], tasks);
    expect(more).toMatchObject([{ id: 'T-006', kind: 'scenario', title: 'Sixth try is refused', status: 'pending' }]);
    expect(proofTask({ title: 'The check fails', detail: 'x' }, tasks)).toMatchObject([
      { id: 'T-006', kind: 'proof', status: 'in_progress' },
    ]);
    expect(feedbackTasks('Name it\ntheme.', [...tasks, ...more])).toMatchObject([
      { id: 'T-007', kind: 'feedback', title: 'Name it theme.', detail: 'Name it\ntheme.', status: 'pending' },
    ]);
  });

  it('are done in order, and one that was begun first', () => {
    const done = withTask(reviews, 'T-001', { status: 'completed', note: 'found 2' });
    expect(nextTask(reviews)?.id).toBe('T-001');
    expect(nextTask(done)?.id).toBe('T-002');
    expect(nextTask(withTask(reviews, 'T-002', { status: 'in_progress' }))?.id).toBe('T-002');
    expect(nextTask(withTask(done, 'T-002', { status: 'skipped' }))).toBeNull();
    expect(reviews[0]?.status).toBe('pending');
  });

  it('are never changed by a number that nobody gave', () => {
    expect(() => withTask(reviews, 'T-999', { status: 'completed' })).toThrow(EngineBug);
  });
});
