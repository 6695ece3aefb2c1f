import { describe, expect, it } from 'vitest';
import type { Guards } from '#engine';
import { deferredOf, findingsOf, problemsOf, scenariosOf, tasksOf } from './coding-context.js';
import { eventOf, fakeParts, findingWith, problemOf, scenarioOf, taskOf, Visit } from './coding.fixture.js';
import { deferItem } from './defer-item.activity.js';
import { codingGuards } from './guards.js';
import { waysOut } from './block-ways.js';
import { workGuards } from '../work/outgrown.js';

const known = {
  good: { commit: 'good', checkpoint: 3 },
  commit: 'now',
  findings: [findingWith('F-001'), findingWith('F-002')],
  problems: [problemOf('P-001', { task: 'T-002' })],
  tasks: [
    taskOf('T-001', { kind: 'review', status: 'completed' }),
    taskOf('T-002', { kind: 'finding', finding: 'F-001', status: 'in_progress' }),
    taskOf('T-003', { kind: 'finding', finding: 'F-002' }),
    taskOf('T-004'),
  ],
};

async function deferred(cause: string, more: object = {}, left?: string) {
  const block = { cause, message: `because of ${cause}` };
  const decision = { gate: 'resolve-problem', decision: 'defer' };
  const visit = new Visit({ ...known, block, decision, ...more }, { state: 'FUTURE_REQ' });
  const world = fakeParts(left === undefined ? {} : { left });
  const { type, patch, data } = eventOf(await deferItem(world.parts)(visit.activity));
  const context = { ...visit.activity.context, ...patch };
  const statuses = tasksOf({ context }).map(({ status }) => status);
  const outcomes = findingsOf({ context }).map(({ outcome }) => outcome.kind);
  return { type, patch, data, statuses, outcomes, items: deferredOf({ context }), ...world };
}

describe('FUTURE_REQ puts off', () => {
  it.each(['problem', 'never-healed', 'breaker-signature', 'breaker-orphans', 'agent'])(
    'the current task alone, with its finding and its problem, at a block by %s',
    async (cause) => {
      const { type, patch, data, statuses, outcomes, items, resets } = await deferred(cause);
      expect([type, data]).toEqual(['item:deferred', { cause, decision: 'defer' }]);
      expect(statuses).toEqual(['completed', 'deferred', 'pending', 'pending']);
      expect(outcomes).toEqual(['deferred', 'open']);
      expect(items).toEqual([
        expect.objectContaining({ cause, task: 'T-002', problem: 'P-001', reason: `because of ${cause}` }),
      ]);
      expect(problemsOf({ context: patch })[0]).toMatchObject({ status: 'deferred', reason: `because of ${cause}` });
      expect(patch).toMatchObject({ block: null, why: null, decision: null, problem: null, commit: 'good' });
      expect(resets).toEqual(['good']);
    },
  );

  it('with the first line of what a person was asked as its reason', async () => {
    const message = 'It did not finish.\n\nWhat was asked: x\n\nLikely best answer: look.';
    const { items } = await deferred('agent', { block: { cause: 'agent', message } });
    expect(items[0]?.reason).toBe('It did not finish.');
  });

  it.each(['setup', 'budget', 'unproven'])('everything that waits, at a block by %s', async (cause) => {
    const { statuses, outcomes, items } = await deferred(cause);
    expect(statuses).toEqual(['completed', 'deferred', 'deferred', 'deferred']);
    expect(outcomes).toEqual(['deferred', 'deferred']);
    expect(items.map(({ task }) => task)).toEqual(['T-002', 'T-003', 'T-004']);
  });

  it('the scenarios that failed, and the tasks that they had become', async () => {
    const scenarios = [
      scenarioOf('S-001', { verdict: 'failed', because: 'exit 1' }),
      scenarioOf('S-002', { verdict: 'passed' }),
    ];
    const tasks = [taskOf('T-001', { status: 'completed' }), taskOf('T-002', { kind: 'scenario' })];
    const { patch, statuses, items, resets } = await deferred('uat', { scenarios, tasks });
    expect(scenariosOf({ context: patch }).map(({ verdict }) => verdict)).toEqual(['waived', 'passed']);
    expect([statuses, items.map(({ task }) => task)]).toEqual([['completed', 'deferred'], ['T-002']]);
    expect(resets).toEqual([]);
  });

  it('only in words where a reviewer is missing: REVIEWING reads the decision', async () => {
    const { patch } = await deferred('reviewer', { findings: undefined, seats: [{ agent: 'sde-iii' }] });
    expect(patch).toEqual({ deferred: [expect.objectContaining({ title: 'Reviews that are missing: sde-iii' })] });
  });

  it('the request where there is nothing else yet: REVIEWING goes on with who has handed in', async () => {
    const { patch } = await deferred('budget', { findings: undefined });
    expect(patch).toEqual({ deferred: [expect.objectContaining({ title: 'Add dark mode', cause: 'budget' })] });
  });

  it('a task so that what stays is proven anew; nothing to prove where nothing is done', async () => {
    const { patch } = await deferred('problem');
    expect(patch).toMatchObject({ verification: null, verifiedAt: null, needsProof: false });
    const tasks = [taskOf('T-001', { status: 'completed', commit: 'c' }), taskOf('T-002', { status: 'in_progress' })];
    expect((await deferred('problem', { tasks })).patch).toMatchObject({ needsProof: true });
    // Nothing was taken back, and the person has decided about the proof itself.
    expect((await deferred('unproven', { tasks: tasks.slice(0, 1) })).patch).not.toHaveProperty('needsProof');
  });

  it('the scenarios that acceptance cannot get past, or all of it where there are none', async () => {
    const tasks = [taskOf('T-001', { status: 'completed', commit: 'c' })];
    const none = await deferred('agent', { tasks });
    expect(scenariosOf({ context: none.patch })).toEqual([
      expect.objectContaining({ title: 'The request is fulfilled', verdict: 'waived', because: 'put off: nobody has tried it' }),
    ]); // prettier-ignore
    const scenarios = [scenarioOf('S-001', { verdict: 'passed' }), scenarioOf('S-002')];
    const some = await deferred('agent', { tasks, scenarios });
    expect(scenariosOf({ context: some.patch }).map(({ verdict }) => verdict)).toEqual(['passed', 'waived']);
    // Where a task was in the way they are still to be tried.
    const work = await deferred('agent', { scenarios });
    expect(scenariosOf({ context: work.patch }).map(({ verdict }) => verdict)).toEqual(['passed', 'open']);
  });

  it('what stands in the way where there is no task', async () => {
    const { items } = await deferred('agent', { tasks: [] });
    expect(items).toEqual([expect.objectContaining({ title: 'because of agent', task: null, problem: null })]);
  });

  it('nothing that a person changed where no task is at hand: it is taken along, to be proven', async () => {
    const commit = 'commit of Changed by a person while the project waited';
    const tasks = [taskOf('T-001', { status: 'completed', commit: 'c' }), taskOf('T-002', { kind: 'scenario' })];
    const { patch, resets } = await deferred('uat', { tasks }, 'as-left');
    expect(patch).toMatchObject({ commit, needsProof: true, isProven: false });
    expect(resets).toEqual(['as-left']);
  });

  it('what a person changed with the task, and keeps it where it can be found', async () => {
    const { patch, resets } = await deferred('problem', {}, 'as-left');
    expect([patch['leftByPerson'], patch['commit'], resets]).toEqual([['as-left'], 'good', ['good']]);
    expect((await deferred('problem')).patch).not.toHaveProperty('leftByPerson');
  });

  it('and keeps what was printed, where no attempt has kept it', async () => {
    const block = { cause: 'setup', message: 'npm ci failed', output: 'npm ERR! no lock file' };
    const { items, pages } = await deferred('setup', { block, problems: [] });
    expect(items.map(({ error }) => error)).toEqual(['npm ERR! no lock file', undefined, undefined]);
    expect(pages.get('DEFERRED.md')).toMatch(/### Last error\n\n {4}npm ERR! no lock file[^]*fix the set-up/);
    expect((await deferred('setup', { block })).items[0]).not.toHaveProperty('error');
  });

  it('and says so in DEFERRED.md', async () => {
    const page = (await deferred('budget')).pages.get('DEFERRED.md') ?? '';
    expect(page.match(/DEFER-\d{3}/g)).toEqual(expect.arrayContaining(['DEFER-001', 'DEFER-002', 'DEFER-003']));
  });
});

/** The way out of FUTURE_REQ, and of BLOCKED if a person goes on with the rest. */
const WAYS = ['reviews-remain', 'more-work-remains', 'work-awaits-acceptance', 'small-team-has-done-something'];
const openWays = (guards: Guards, context: Parameters<Guards[string]>[0]): readonly string[] =>
  WAYS.filter((name) => guards[name]?.(context, {}, {}) === true);

const DONE = taskOf('T-001', { status: 'completed', commit: 'c' });
const team = { name: 't', domains: [], members: [], status: 'working' };

describe('a block that was put off leads on', () => {
  it.each([
    ['EXECUTING', codingGuards, 'qralph-coding', { tasks: [DONE, taskOf('T-002', { status: 'in_progress' })] }],
    ['UAT', codingGuards, 'qralph-coding', { tasks: [DONE] }],
    ['EXECUTING of a small team', workGuards, 'qralph-work', { tasks: [DONE, taskOf('T-002', { kind: 'step' })] }],
    [
      'REVIEWING after an escalation',
      workGuards,
      'qralph-work',
      { tasks: [DONE, taskOf('T-002', { kind: 'step' })], escalated: true },
    ],
  ])('to its end, if the set-up fails in %s', async (_state, guards, machine, more) => {
    const { context } = await deferredIn(machine, 'setup', more);
    expect(openWays(guards, context)).toEqual([]);
    expect(context['block']).toMatchObject({ cause: 'setup' });
  });

  it.each(['budget', 'agent'])(
    'to acceptance without a proof, if only the proof was left and a block by %s',
    async (cause) => {
      const { context } = await deferredIn('qralph-coding', cause, { tasks: [DONE], needsProof: true });
      expect(openWays(codingGuards, context)).toEqual(['work-awaits-acceptance']);
      expect(context).toMatchObject({ needsProof: false, isProven: false });
    },
  );

  it('to the proof, if a person changed something meanwhile', async () => {
    const { context } = await deferredIn('qralph-coding', 'budget', { tasks: [DONE], needsProof: true }, 'as-left');
    expect(openWays(codingGuards, context)).toContain('more-work-remains');
  });

  it('keeps a proof that acceptance came after', async () => {
    const { context } = await deferredIn('qralph-coding', 'agent', {
      tasks: [DONE],
      needsProof: false,
      isProven: true,
    });
    expect(context['isProven']).toBe(true);
  });
});

it('the rest cannot go on without a set-up', () => {
  const blocked = new Visit({ ...known, team, tasks: [DONE], block: { cause: 'setup', message: 'm' } });
  expect(openWays(codingGuards, blocked.activity.context)).toEqual([]);
  expect(openWays(workGuards, blocked.activity.context)).toEqual([]);
  const other = new Visit({ ...known, team, tasks: [DONE], block: { cause: 'agent', message: 'm' } });
  expect(openWays(codingGuards, other.activity.context)).toEqual(['work-awaits-acceptance']);
  expect(openWays(workGuards, other.activity.context)).toContain('small-team-has-done-something');
});

describe('the screen of a block says where `defer` leads', () => {
  const OPEN = taskOf('T-002', { status: 'in_progress' });
  const LATER = taskOf('T-003');
  const worlds: Readonly<Record<string, object>> = {
    'without a team': { findings: undefined, team: null, tasks: [], problems: [] },
    'with missing reviews': { findings: undefined, tasks: [], seats: [{ agent: 'product' }], problems: [] },
    'with one task': { tasks: [OPEN] },
    'with a task that waits': { tasks: [OPEN, LATER] },
    'with a task that is done': { tasks: [DONE, OPEN] },
    'with nothing left to do': { tasks: [DONE], problems: [] },
  };
  const cases = ['agent', 'budget', 'setup', 'problem', 'unproven', 'uat', 'reviewer', 'breaker-orphans'].flatMap(
    (cause) => Object.keys(worlds).map((world) => ({ cause, world })),
  );

  it.each(cases)('at $cause $world', async ({ cause, world }) => {
    for (const [machine, guards] of [
      ['qralph-coding', codingGuards],
      ['qralph-work', workGuards],
    ] as const) {
      const { project, context: known_ } = new Visit({ ...known, team, ...worlds[world] }).activity;
      const ways = waysOut({ project: { ...project, machine }, context: known_ }, cause);
      const does = ways.find(({ decision }) => decision === 'defer')?.does ?? '';
      const { context } = await deferredIn(machine, cause, worlds[world] ?? {});
      expect({ machine, does, ends: does.includes('aborted') }).toEqual({
        machine,
        does,
        ends: openWays(guards, context).length === 0,
      });
    }
  });
});

async function deferredIn(machine: string, cause: string, more: object, left?: string) {
  const block = { cause, message: `because of ${cause}` };
  const decision = { gate: 'resolve-problem', decision: 'defer' };
  const visit = new Visit({ ...known, team, block, decision, ...more }, { state: 'FUTURE_REQ' });
  const { parts } = fakeParts(left === undefined ? {} : { left });
  const activity = { ...visit.activity, project: { ...visit.activity.project, machine } };
  const { patch } = eventOf(await deferItem(parts)(activity));
  return { context: { ...activity.context, ...patch } };
}
