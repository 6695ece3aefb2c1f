import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#contracts';
import { findingWith, taskOf } from '../coding.fixture.js';
import { buildPlan, type PlanGiven } from './build-plan.js';
import type { PlannerOutput } from './plan.prompt.js';

const answer = (more: Partial<PlannerOutput> = {}): PlannerOutput => ({
  class: 'behaviour',
  parts: [{ title: 'There is a dark mode', interface: 'theme()', failingTests: [] }],
  steps: [{ title: 'Add dark mode', detail: 'In theme.mjs', parts: [1], findings: [], check: 'it is dark' }],
  findings: [],
  failuresInScope: [],
  ...more,
});
const step = (title: string, more: Partial<PlannerOutput['steps'][number]> = {}): PlannerOutput['steps'][number] => ({
  ...{ title, detail: '', parts: [1], findings: [], check: '' },
  ...more,
});
const build = (more: Partial<PlanGiven> = {}) =>
  buildPlan({
    ...{ request: 'Add dark mode', planned: answer(), findings: [], failures: [], approvedSteps: [] },
    ...{ asides: 'P1', goal: null, tasks: [] },
    ...more,
  });
const kindsOf = ({ tasks }: ReturnType<typeof build>): string[] => tasks.map(({ finding, title }) => finding ?? title);

describe('the plan of a request', () => {
  it('is one step without an answer of the planner, and says why', () => {
    const findings = [findingWith('F-001', { relation: 'is-request' })];
    const { plan, tasks } = build({ planned: { failed: 'no answer' }, findings });
    expect(plan).toMatchObject({ class: 'behaviour', fallback: 'no answer', parts: [{ title: 'Add dark mode' }] });
    expect(plan.steps).toMatchObject([{ task: 'T-001', title: 'Add dark mode', parts: [1], findings: ['F-001'] }]);
    expect(tasks).toMatchObject([{ id: 'T-001', kind: 'request', status: 'pending' }]);
  });

  it('is one step if the planner planned none', () => {
    const { plan } = build({ planned: answer({ parts: [], steps: [] }) });
    expect([plan.parts.length, plan.steps.length, plan.fallback]).toEqual([1, 1, null]);
  });

  it('folds parts and steps beyond its bounds into the last ones, so that no demand gets lost', () => {
    const parts = Array.from({ length: 10 }, (_, nth) => ({
      title: `demand ${String(nth + 1)}`,
      interface: `name${String(nth + 1)}`,
      failingTests: [],
    }));
    const steps = Array.from({ length: 14 }, (_, nth) => step(`step ${String(nth + 1)}`, { parts: [nth + 1] }));
    const { plan, tasks } = build({ planned: answer({ parts, steps }) });
    expect(plan.parts.at(-1)).toMatchObject({
      title: 'demand 8; demand 9; demand 10',
      interface: 'name8\nname9\nname10',
    });
    expect([plan.parts.length, plan.steps.length]).toEqual([8, 12]);
    expect(plan.steps[9]?.parts).toEqual([8]);
    expect(tasks.at(-1)?.detail).toBe('step 12\n\nstep 13\n\nstep 14');
  });

  it('has findings that come before, then the steps, then findings that come after, then asides', () => {
    const findings = [
      findingWith('F-001', { relation: 'aside', priority: 'P0' }),
      findingWith('F-002', { relation: 'after' }),
      findingWith('F-003', { relation: 'before' }),
      findingWith('F-004', { relation: 'before', priority: 'P0' }),
      findingWith('F-005', { relation: 'is-request' }),
    ];
    expect(kindsOf(build({ findings }))).toEqual(['F-004', 'F-003', 'Add dark mode', 'F-002', 'F-001']);
  });

  it('believes the planner, not one reviewer, about how a finding relates to the request', () => {
    const findings = [findingWith('F-001', { relation: 'before' })];
    const planned = answer({ findings: [{ id: 'F-001', relation: 'is-request' }] });
    const built = build({ findings, planned });
    expect([built.findings[0]?.relation, kindsOf(built)]).toEqual(['is-request', ['Add dark mode']]);
    expect(built.plan.steps[0]?.findings).toEqual(['F-001']);
  });

  it('does nothing twice: a finding that a step fixes is no task of its own', () => {
    const findings = [findingWith('F-001', { relation: 'before' })];
    const planned = answer({ steps: [step('Add dark mode', { findings: ['F-001'] })] });
    expect(kindsOf(build({ findings, planned }))).toEqual(['Add dark mode']);
  });

  it('makes an aside a task of its own, though a step names it', () => {
    const planned = answer({
      steps: [step('Add dark mode', { findings: ['F-001'] })],
      findings: [{ id: 'F-001', relation: 'aside' }],
    });
    const built = build({ findings: [findingWith('F-001')], planned });
    expect([kindsOf(built), built.plan.steps[0]?.findings]).toEqual([['Add dark mode', 'F-001'], []]);
  });

  it('leaves out findings that are not urgent, or are settled already', () => {
    const findings = [
      findingWith('F-001', { relation: 'before', priority: 'P2' }),
      findingWith('F-002', { relation: 'after', outcome: { kind: 'fixed', commit: 'c', reason: null } }),
    ];
    expect(kindsOf(build({ findings }))).toEqual(['Add dark mode']);
  });

  it('drops names of findings, failures and parts that do not exist', () => {
    const planned = answer({
      parts: [{ title: 'a', interface: '', failingTests: ['invented', 'theme is dark'] }],
      steps: [step('a', { parts: [0, 1, 7, -1], findings: ['F-999'] })],
      findings: [{ id: 'F-998', relation: 'before' }],
      failuresInScope: ['invented too'],
    });
    const { plan, tasks } = build({ planned, failures: [{ name: 'theme is dark', output: '' }] });
    expect([plan.parts[0]?.failingTests, plan.steps[0]?.parts]).toEqual([['theme is dark'], [1]]);
    expect([plan.steps[0]?.findings, plan.scope.map(({ name }) => name)]).toEqual([[], ['theme is dark']]);
    expect(tasks).toHaveLength(1);
  });

  it('knows a failing test by the part of its name that a planner gives', () => {
    const name = 'test_hours (tests.test_durations.DurationsTest.test_hours)';
    const parts = [{ title: 'durations has hours', interface: '', failingTests: ['test_hours'] }];
    const { plan } = build({ planned: answer({ parts }), failures: [{ name, output: '' }] });
    expect([plan.parts[0]?.failingTests, plan.scope.map((one) => one.name)]).toEqual([[name], [name]]);
  });

  it('has a failure in scope if a part names it, if it shares a name with the request, or if all tests must pass', () => {
    const failures = [
      { name: 'sorts users', output: '' },
      { name: 'adds', output: 'at src/price-table.mjs:3:1' },
    ];
    const scope = (more: Partial<PlanGiven>) => build({ failures, ...more }).plan.scope.map(({ name }) => name);
    expect(scope({})).toEqual([]);
    expect(scope({ planned: answer({ failuresInScope: ['sorts users'] }) })).toEqual(['sorts users']);
    expect(scope({ request: 'Fix src/price-table.mjs' })).toEqual(['adds']);
    expect(scope({ goal: 'green' })).toEqual(['sorts users', 'adds']);
  });

  it('keeps approved steps that are tasks already, with findings around those that are left', () => {
    const tasks = [taskOf('T-001', { kind: 'step', status: 'completed' }), taskOf('T-002', { kind: 'step' })];
    const approvedSteps = tasks.map(({ id, title }) => ({ title, detail: '', check: 'it is there', task: id }));
    const findings = [
      findingWith('F-001', { relation: 'is-request' }),
      findingWith('F-002', { relation: 'after' }),
      findingWith('F-003', { relation: 'before', priority: 'P2' }),
    ];
    const planned = answer({ steps: [step('a', { findings: ['F-001'] }), step('b')] });
    const built = build({ tasks, approvedSteps, findings, planned });
    expect(built.plan.steps.map(({ task, parts, findings: fixed }) => [task, parts, fixed])).toEqual([
      ['T-001', [1], []],
      ['T-002', [1], ['F-001']],
    ]);
    expect(built.tasks.map(({ id, finding }) => finding ?? id)).toEqual(['T-001', 'T-002', 'F-002']);
  });

  it('makes a finding that is the request a task if all approved steps are done', () => {
    const tasks = [taskOf('T-001', { kind: 'step', status: 'completed' })];
    const approvedSteps = [{ title: 'First', detail: '', check: '', task: 'T-001' }];
    const built = build({ tasks, approvedSteps, findings: [findingWith('F-001', { relation: 'is-request' })] });
    expect(built.plan.steps.map(({ findings }) => findings)).toEqual([[]]);
    expect(built.tasks.map(({ id, finding }) => finding ?? id)).toEqual(['T-001', 'F-001']);
  });

  it('bounds parts, steps and texts', () => {
    const part = { title: 't'.repeat(1e4), interface: 'i'.repeat(1e5), failingTests: [] };
    const many = answer({
      parts: Array.from({ length: 50 }, () => part),
      steps: Array.from({ length: 50 }, () => step('s'.repeat(1e4), { detail: 'd'.repeat(1e5) })),
    });
    const { plan, tasks } = build({ planned: many });
    expect([plan.parts.length, plan.steps.length]).toEqual([8, 12]);
    expect([plan.parts[0]?.title.length, plan.parts[0]?.interface.length]).toEqual([300, 8_000]);
    expect([plan.steps[0]?.title.length, tasks[0]?.detail.length]).toEqual([300, 8_000]);
  });
});

describe('asides', () => {
  const findings = Array.from({ length: 9 }, (_, nth) =>
    findingWith(`F-${String(nth + 1)}`, { relation: 'aside', priority: nth === 8 ? 'P0' : 'P1' }),
  );

  it('are at most five, the most urgent first', () => {
    expect(kindsOf(build({ findings }))).toEqual(['Add dark mode', 'F-9', 'F-1', 'F-2', 'F-3', 'F-4']);
  });

  it('are limited to P0, or left out, if the user says so', () => {
    expect(kindsOf(build({ findings, asides: 'P0' }))).toEqual(['Add dark mode', 'F-9']);
    expect(kindsOf(build({ findings, asides: 'none' }))).toEqual(['Add dark mode']);
  });
});

describe('steps that a person approved', () => {
  const approvedSteps = [
    { title: 'First', detail: '', check: 'one', task: null },
    { title: 'Second', detail: '', check: '', task: null },
  ];

  it('get the details of the planner if it planned as many', () => {
    const planned = answer({
      steps: [step('x', { detail: 'here' }), step('y', { check: 'two', findings: ['F-001'] })],
    });
    const { plan, tasks } = build({ approvedSteps, planned, findings: [findingWith('F-001')] });
    expect(plan.steps).toMatchObject([
      { title: 'First', check: 'one' },
      { title: 'Second', check: 'two', findings: ['F-001'] },
    ]);
    expect(tasks.map(({ detail }) => detail)).toEqual(['here', '']);
  });

  it('stay whole if the planner planned another number: the last one completes the parts', () => {
    const { plan } = build({ approvedSteps, planned: answer({ steps: [step('x')] }) });
    expect(plan.steps.map(({ title, parts }) => [title, parts])).toEqual([
      ['First', []],
      ['Second', [1]],
    ]);
  });
});

describe('every plan, whatever the planner answers', () => {
  const id = fc.constantFrom('F-1', 'F-2', 'F-3', 'F-4', 'F-5', 'F-6', 'F-7', 'F-8', 'F-999', '__proto__');
  const relation = fc.constantFrom('is-request', 'before', 'after', 'aside' as const);
  const findings = fc.uniqueArray(fc.record({ id, relation, priority: fc.constantFrom('P0', 'P1', 'P2' as const) }), {
    selector: (one) => one.id,
  }) as fc.Arbitrary<Pick<Finding, 'id' | 'relation' | 'priority'>[]>;
  const text = fc.string({ maxLength: 20 });
  const planned = fc.oneof(
    fc.record({ failed: text }),
    fc.record({
      class: fc.constantFrom('behaviour', 'keeps-behaviour', 'document', 'tests-only' as const),
      parts: fc.array(fc.record({ title: text, interface: text, failingTests: fc.array(text) }), { maxLength: 10 }),
      steps: fc.array(
        fc.record({ title: text, detail: text, parts: fc.array(fc.integer()), findings: fc.array(id), check: text }),
        { maxLength: 15 },
      ),
      findings: fc.array(fc.record({ id, relation })),
      failuresInScope: fc.array(text),
    }),
  ) as fc.Arbitrary<PlanGiven['planned']>;
  const given = fc.record({
    planned,
    findings: findings.map((all) => all.map(({ id: name, ...more }) => findingWith(name, more))),
    approvedSteps: fc.array(fc.record({ title: text, detail: text, check: text, task: fc.constant(null) }), {
      maxLength: 20,
    }),
    asides: fc.constantFrom('P0', 'P1', 'none' as const),
  });
  const known = [taskOf('T-007', { kind: 'review', status: 'completed' })];

  it('has each approved step, each requested finding, a task for each step, and few asides', () => {
    fc.assert(
      fc.property(given, (more) => {
        const { plan, findings: all, tasks } = build({ ...more, tasks: known });
        const approved = more.approvedSteps.map(({ title }) => title);
        if (approved.length > 0) expect(plan.steps.map(({ title }) => title)).toEqual(approved);
        const requested = all.filter((one) => one.relation === 'is-request').map((one) => one.id);
        expect(plan.steps.flatMap((one) => one.findings)).toEqual(expect.arrayContaining(requested));
        expect(plan.parts.length).toBeGreaterThan(0);
        const own = tasks.filter(({ kind }) => kind === 'request').map((task) => task.id);
        expect(plan.steps.map(({ task }) => task)).toEqual(own);
        expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length);
        const relationOf = (finding: string | null) => all.find((one) => one.id === finding)?.relation;
        const asides = tasks.filter(({ finding }) => relationOf(finding) === 'aside');
        expect(asides.length).toBeLessThanOrEqual(more.asides === 'none' ? 0 : 5);
        const order = tasks.slice(1).map(({ finding }) => ORDER.indexOf(relationOf(finding) ?? 'step'));
        expect(order).toEqual([...order].sort());
      }),
    );
  });
});

const ORDER = ['before', 'step', 'after', 'aside'];
