import { describe, expect, it } from 'vitest';
import { Finding, ProjectTask } from '#contracts';
import type { Json } from '#kernel';
import { findingWith, taskOf } from '../coding/coding.fixture.js';
import { withReport } from './reports.js';

const found = (priority: string, title: string) => ({ priority, title, body: title, file: null, line: null });
const findingsIn = (patch: ReturnType<typeof withReport>): readonly Finding[] =>
  Finding.array().parse(patch['findings']);

const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api' };
const escalated = (more: object = {}) =>
  ({ order, escalated: true, findings: [], tasks: [], ...more }) as Readonly<Record<string, Json>>;

describe('a finding of the small team', () => {
  it('must be fixed before the rest if it is a P0', () => {
    const patch = withReport({ context: {} }, 'docs-writer', [found('P0', 'a'), found('P1', 'b')]);
    expect(findingsIn(patch)).toMatchObject([
      { title: 'a', relation: 'before' },
      { title: 'b', relation: 'aside' },
    ]);
  });

  it('must be so after an escalation too, so that its fix is not dropped quietly', () => {
    const context = escalated();
    expect(findingsIn(withReport({ context }, 'docs-writer', [found('P0', 'a')]))).toMatchObject([
      { title: 'a', relation: 'before' },
    ]);
  });
});

describe('what a step reports after an escalation', () => {
  const tasks = [
    taskOf('T-001', { kind: 'step', status: 'completed' }),
    taskOf('T-002', { kind: 'step', status: 'in_progress' }),
    taskOf('T-003', { kind: 'step' }),
  ];
  const tasksIn = (patch: ReturnType<typeof withReport>): readonly string[] =>
    ProjectTask.array()
      .parse(patch['tasks'])
      .map(({ id, title }) => (title.includes('Title of') ? id : title));
  const report = (more: object, ...found: object[]) =>
    withReport({ context: escalated({ tasks, ...more }) }, 'docs-writer', found);

  it('is a task before the work that is left if it is a P0, and at the end otherwise', () => {
    const patch = report({}, found('P1', 'a name'), found('P0', 'a leak'));
    expect(tasksIn(patch)).toEqual(['T-001', 'T-002', 'P0: a leak', 'T-003', 'P1: a name']);
  });

  it.each([
    ['P1', ['T-001', 'T-002', 'T-003', 'P1: a name']],
    ['P0', ['T-001', 'T-002', 'T-003']],
    ['none', ['T-001', 'T-002', 'T-003']],
  ])('is a task as the order wants it: asides %s', (asides, expected) => {
    expect(tasksIn(report({ order: { ...order, asides } }, found('P1', 'a name')))).toEqual(expected);
  });

  it('adds no more tasks beside the request than five in all', () => {
    const known = ['F-001', 'F-002', 'F-003', 'F-004'].map((id) => findingWith(id, { relation: 'aside' }));
    const before = known.map(({ id }, nth) => taskOf(`T-01${String(nth)}`, { kind: 'finding', finding: id }));
    const more = { findings: known, tasks: [...tasks, ...before] };
    expect(tasksIn(report(more, found('P1', 'a name'), found('P1', 'a sign'))).slice(-1)).toEqual(['P1: a name']);
  });
});
