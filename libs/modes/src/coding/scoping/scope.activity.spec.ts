import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { VerifyReport } from '#workspace';
import { tasksOf } from '../coding-context.js';
import { byRole, eventOf, fakeParts, findingWith, reviewOf, taskOf, Visit } from '../coding.fixture.js';
import { contextOf, patchOf } from '../context.js';
import { failingRun, greenRun, planWith, redRun } from '../proof/proof.fixture.js';
import { CHECK_AUTHOR } from './author-checks.js';
import { PLANNER, scope } from './scope.activity.js';

const PLANNED = {
  class: 'behaviour',
  parts: [{ title: 'There is a dark mode', interface: 'theme()', failingTests: [] }],
  steps: [{ title: 'Add it', detail: 'In theme.mjs', parts: [1], findings: [], check: 'it is dark' }],
  findings: [],
  failuresInScope: [],
};
const CHECK = { part: 1, title: 'It is dark', files: [], command: 'node check.mjs', why: '' };
const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', turns: 60, minutes: 30 };

interface World {
  readonly context?: object;
  readonly planner?: (task: AgentTask) => object;
  readonly author?: (task: AgentTask) => object;
  readonly isSetUp?: boolean;
  readonly isPlannerCheckAuthor?: boolean;
  readonly machine?: string;
  /** How the check ends on the base. */
  readonly onBase?: () => VerifyReport;
  /** Tests that fail when the baseline is seen again. */
  readonly again?: readonly string[];
}

async function scoped({
  context = {},
  isSetUp = true,
  again = [],
  isPlannerCheckAuthor = false,
  machine = 'qralph-coding',
  onBase = redRun,
  ...agents
}: World = {}) {
  const {
    planner = () => ({ output: PLANNED }),
    author = () => ({ commit: 'authored', output: { checks: [CHECK] } }),
  } = agents;
  const agent = byRole({ [PLANNER]: planner, [CHECK_AUTHOR]: author });
  const world = fakeParts({
    agent: (task): Partial<AgentOutcome> => agent(task),
    clean: ({ commands }) => (commands?.[0] === CHECK.command ? onBase() : failingRun(...again)),
    isSetUp,
  });
  const visit = new Visit({ order, commit: 'now', baseline: failingRun(), ...context }, { state: 'SCOPING' });
  const activity = { ...visit.activity, project: { ...visit.activity.project, machine } };
  const report = await scope(world.parts, { isPlannerCheckAuthor })(activity);
  return {
    ...world,
    report,
    ...(report.kind === 'event' && eventOf(report)),
    known: contextOf({ context: report.kind === 'event' ? eventOf(report).patch : {} }),
  };
}

describe('SCOPING, first visit', () => {
  it('plans, and asks for checks of the parts that no failing test covers', async () => {
    const { type, known, asked, resets, data } = await scoped();
    expect([type, known.requestPlan?.steps[0]?.task]).toEqual(['plan:drafted', 'T-001']);
    expect(tasksOf({ context: patchOf(known) })).toMatchObject([{ id: 'T-001', kind: 'request', title: 'Add it' }]);
    expect(asked.map(({ role, tier, access }) => [role, tier, access])).toEqual([[PLANNER, 'medium', 'read']]);
    expect(data).toMatchObject({ class: 'behaviour', parts: 1, steps: 1, inScope: 0 });
    expect(resets).toEqual([]);
  });

  it('is the only one if a failing test of the baseline covers each part', async () => {
    const parts = [{ ...PLANNED.parts[0], title: 'It rounds', failingTests: ['rounds'] }];
    const { type, known } = await scoped({
      context: { baseline: failingRun('rounds') },
      planner: () => ({ output: { ...PLANNED, parts } }),
      again: ['rounds'],
    });
    expect([type, known.flakyTests, known.requestPlan?.scope.map(({ name }) => name)]).toEqual([
      'plan:ready',
      [],
      ['rounds'],
    ]);
  });

  it('asks for a check if that failing test turns out to be flaky', async () => {
    const parts = [{ ...PLANNED.parts[0], title: 'It rounds', failingTests: ['rounds'] }];
    const { type, known } = await scoped({
      context: { baseline: failingRun('rounds') },
      planner: () => ({ output: { ...PLANNED, parts } }),
    });
    expect([type, known.flakyTests]).toEqual(['plan:drafted', ['rounds']]);
  });

  it('tells the planner the request, findings, advice, failing tests and the map', async () => {
    const context = {
      baseline: failingRun('rounds'),
      findings: [findingWith('F-001', { title: 'A hole' })],
      reviews: [reviewOf('sde-iii', { summary: 'Change theme.mjs.' })],
      repositoryMap: 'src/theme.mjs: theme()',
    };
    const { asked } = await scoped({ context });
    const words = ['Add dark mode', 'A hole', 'sde-iii: Change theme.mjs.', 'rounds', 'src/theme.mjs: theme()'];
    for (const word of words) expect(asked[0]?.prompt).toContain(word);
  });

  it.each([
    ['fails', { kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'too slow', said: '', commit: 'now' }, 'too slow'],
    ['answers with something else', { output: { class: 'poetry' } }, 'did not fit its schema'],
  ])('makes the request one step if the planner %s', async (_title, outcome, why) => {
    const { type, known, data } = await scoped({ planner: () => outcome });
    expect([type, known.requestPlan?.steps.length, known.block]).toEqual(['plan:drafted', 1, null]);
    expect([known.requestPlan?.fallback, data?.['fallback']]).toEqual([
      expect.stringContaining(why),
      expect.stringContaining(why),
    ]);
  });

  it('stops if the budget is spent, and waits if the planner has to', async () => {
    const broke = await scoped({ planner: () => ({ kind: 'over-budget', breaker: { by: 'usd' }, commit: 'now' }) });
    expect([broke.type, broke.known.block?.cause]).toEqual(['work:blocked', 'budget']);
    const waits = await scoped({ planner: () => ({ kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' }) });
    expect(waits.report.kind).toBe('wait');
  });

  it('writes PLAN.md, unless a person approved one', async () => {
    const team = { name: 't', domains: [], members: [], status: 'working' };
    expect((await scoped({ context: { team } })).pages.get('PLAN.md')).toContain('T-001 Add it');
    expect((await scoped()).pages.has('PLAN.md')).toBe(false);
    expect((await scoped({ context: { plan: { steps: [] } } })).pages.size).toBe(0);
  });

  it('ends the planning variant without checks', async () => {
    const { type, asked } = await scoped({ context: { order: { ...order, variant: 'planning' } } });
    expect([type, asked.length]).toEqual(['plan:ready', 1]);
  });

  it('blocks if the repository cannot be set up', async () => {
    expect((await scoped({ isSetUp: false })).known.block?.cause).toBe('setup');
  });
});

describe('SCOPING, second visit', () => {
  const context = { requestPlan: planWith(), tasks: [taskOf('T-001')] };

  it('has the checks written, and leaves no file behind', async () => {
    const { type, known, resets, data } = await scoped({ context });
    expect([type, known.checks?.map(({ id }) => id), data?.['checks']]).toEqual(['plan:ready', ['C-001'], 1]);
    expect(resets).toEqual(['now']);
  });

  it('goes on without a check that nobody can write', async () => {
    const { type, known } = await scoped({ context, author: () => ({ commit: 'authored', output: { checks: [] } }) });
    expect([type, known.checks]).toEqual(['plan:ready', []]);
  });

  it('stops and leaves no file behind if the budget is spent', async () => {
    const author = () => ({ kind: 'over-budget', breaker: { by: 'usd' }, commit: 'half' });
    const { type, known, resets } = await scoped({ context, author });
    expect([type, known.block?.cause, resets.at(-1)]).toEqual(['work:blocked', 'budget', 'now']);
  });
});

describe('SCOPING with a planner that writes the checks', () => {
  const planner = (output: object) => () => ({
    commit: 'authored',
    output: { ...PLANNED, checks: [CHECK], ...output },
  });
  const isPlannerCheckAuthor = true;

  it('plans and has the checks in one conversation, and leaves no file behind', async () => {
    const { type, known, asked, resets, data } = await scoped({ isPlannerCheckAuthor, planner: planner({}) });
    expect([type, known.checks?.map(({ id, part }) => [id, part]), data?.['checks']]).toEqual([
      'plan:ready',
      [['C-001', 1]],
      1,
    ]);
    expect(asked.map(({ role, tier, access }) => [role, tier, access])).toEqual([[PLANNER, 'medium', 'write']]);
    expect(resets).toEqual(['now']);
  });

  it('takes no check for a part that a failing test covers', async () => {
    const parts = [{ ...PLANNED.parts[0], title: 'It rounds', failingTests: ['rounds'] }];
    const context = { baseline: failingRun('rounds') };
    const { type, known } = await scoped({
      isPlannerCheckAuthor,
      context,
      planner: planner({ parts }),
      again: ['rounds'],
    });
    expect([type, known.checks]).toEqual(['plan:ready', []]);
  });

  it('asks for another check if the first one passes on the base', async () => {
    const { type, known } = await scoped({ isPlannerCheckAuthor, planner: planner({}), onBase: greenRun });
    expect([type, known.checks]).toEqual(['plan:drafted', []]);
  });

  it('asks for no check of a document of which the planner says that no command can tell', async () => {
    const readme = { title: 'The README says so', interface: '', failingTests: [] };
    const parts = [PLANNED.parts[0], readme];
    const checks = [CHECK, { ...CHECK, part: 2, command: null, why: 'it is a text' }];
    const { type, known } = await scoped({ isPlannerCheckAuthor, planner: planner({ parts, checks }) });
    expect([type, known.requestPlan?.parts[1]]).toEqual(['plan:ready', { ...readme, kind: 'document' }]);
  });

  it('asks for checks of the parts that the planner left out', async () => {
    const parts = [PLANNED.parts[0], { title: 'It is kept', interface: 'load()', failingTests: [] }];
    const { type, known } = await scoped({ isPlannerCheckAuthor, planner: planner({ parts }) });
    expect([type, known.checks?.map(({ part }) => part)]).toEqual(['plan:drafted', [1]]);
  });

  it.each([
    ['fails', { kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'too slow', said: '', commit: 'half' }],
    ['answers with something else', { commit: 'half', output: { class: 'poetry', checks: [CHECK] } }],
  ])('makes the request one step if the planner %s, and leaves no file behind', async (_title, outcome) => {
    const { type, known, resets } = await scoped({ isPlannerCheckAuthor, planner: () => outcome });
    expect([type, known.requestPlan?.steps.length, resets.at(-1)]).toEqual(['plan:drafted', 1, 'now']);
  });

  it('stops and leaves no file behind if the budget is spent', async () => {
    const broke = () => ({ kind: 'over-budget', breaker: { by: 'usd' }, commit: 'half' });
    const { type, known, resets } = await scoped({ isPlannerCheckAuthor, planner: broke });
    expect([type, known.block?.cause, resets]).toEqual(['work:blocked', 'budget', ['now']]);
  });
});

describe('SCOPING of work mode with approved steps', () => {
  const tasks = [
    taskOf('T-001', { kind: 'step', status: 'completed', commit: 'now' }),
    taskOf('T-002', { kind: 'step', title: 'Write the annex' }),
  ];
  const context = { tasks, plan: { steps: [{ task: 'T-002', title: 'Write the annex', check: 'it has a date' }] } };

  it('plans the request around them, and tells the planner what was approved', async () => {
    const { type, known, asked } = await scoped({ context, machine: 'qralph-work' });
    expect([type, known.requestPlan?.steps.map(({ task }) => task)]).toEqual(['plan:drafted', ['T-001', 'T-002']]);
    expect(tasksOf({ context: patchOf(known) }).map(({ id, kind }) => [id, kind])).toEqual([
      ['T-001', 'step'],
      ['T-002', 'step'],
    ]);
    expect(asked[0]?.prompt).toContain('2. Write the annex (it has a date)');
  });

  it('shows the author of checks the base, and not the steps that are done', async () => {
    const { type, known, resets } = await scoped({
      context: { ...context, requestPlan: planWith() },
      machine: 'qralph-work',
    });
    expect([type, known.checks?.map(({ id }) => id)]).toEqual(['plan:ready', ['C-001']]);
    expect([resets[0], resets.at(-1)]).toEqual(['base', 'now']);
  });
});

it('SCOPING says at its end what a person has to know who is asked before EXECUTING', async () => {
  const { known } = await scoped({
    context: { gatesOn: ['execute'], requestPlan: planWith({ class: 'document' }), tasks: [taskOf('T-001')] },
  });
  expect(known.why).toContain('T-001 Title of T-001');
});
