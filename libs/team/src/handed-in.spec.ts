import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HandedIn, type TeamFace, withHandedIn } from './handed-in.js';
import { LEFT_NOTHING, liveTeam } from './live-team.js';
import { say } from './messages.js';
import { planTasks, reviewTasks } from './tasks.js';
import { memberOf, teamOf } from './team.fixture.js';

const AGENTS = ['sde-iii', 'ux-designer', 'docs-writer', '__proto__'];
const team = teamOf(...AGENTS.map((agent) => memberOf(agent, { status: 'running' })));
const begun = say([], { from: 'lead', to: 'sde-iii-agent', kind: 'task', text: 'Look.' });
const atWork: TeamFace = {
  team,
  tasks: reviewTasks(team).map((task) => ({ ...task, status: 'in_progress' })),
  messages: begun,
};

const done = (agent: string): HandedIn => ({ agent, status: 'done', summary: `Read by ${agent}.`, findings: 2, why: null }); // prettier-ignore
const lost = (agent: string): HandedIn => ({ agent, status: 'lost', summary: '', findings: 0, why: 'silent twice' });
const resultOf = (review: HandedIn) => ({ ...review, findings: Array.from({ length: review.findings }, () => ({})) });
const ended = (review: HandedIn) => ({ key: review.agent, result: resultOf(review), isLeft: false });
const statuses = ({ team: seen }: TeamFace): unknown[] => seen?.members.map(({ status }) => status) ?? [];
const words = ({ messages }: TeamFace): string[] => messages.map(({ seq, from, kind, text }) => `${String(seq)} ${from} ${kind}: ${text}`); // prettier-ignore

describe('a team of which some have handed in', () => {
  it('shows who has, with its task and its word to the lead, and the others at work', () => {
    const seen = withHandedIn(atWork, [done('ux-designer'), lost('docs-writer')]);
    expect(statuses(seen)).toEqual(['running', 'done', 'lost', 'running']);
    expect(seen.tasks.map(({ status, note }) => [status, note])).toEqual([
      ...[['in_progress', null], ['completed', null], ['skipped', 'silent twice'], ['in_progress', null]],
    ]); // prettier-ignore
    expect(words(seen)).toEqual([
      '1 lead task: Look.',
      '3 ux-designer-agent summary: 2 findings. Read by ux-designer.',
      '4 docs-writer-agent health: silent twice',
    ]);
  });

  it('shows one whose budget is spent as lost', () => {
    expect(statuses(withHandedIn(atWork, [{ ...lost('sde-iii'), status: 'over-budget' }]))[0]).toBe('lost');
  });

  it('shows partial output as such, and its task as completed with a note', () => {
    const late: HandedIn = { ...done('sde-iii'), status: 'partial', findings: 1, why: 'too late' };
    const seen = withHandedIn(atWork, [late]);
    expect(statuses(seen)[0]).toBe('partial');
    expect(seen.tasks[0]).toMatchObject({ status: 'completed', note: 'too late' });
    expect(words(seen)).toContain('2 sde-iii-agent summary: Partial output. 1 finding. Read by sde-iii.');
    expect(statuses(liveTeam(atWork, [{ ...ended(late), isLeft: true }], 'REVIEWING'))[0]).toBe('partial');
  });

  it('takes back nothing that was read on the way, in whatever order they end', () => {
    const orders = fc.shuffledSubarray(AGENTS.map((agent, nth) => (nth % 2 === 0 ? done(agent) : lost(agent))));
    fc.assert(
      fc.property(orders, fc.nat({ max: 3 }), (order, some) => {
        const before = liveTeam(atWork, order.slice(0, some).map(ended), 'REVIEWING');
        const after = withHandedIn(atWork, order);
        expect(after.messages).toEqual(expect.arrayContaining([...before.messages]));
        for (const [nth, status] of statuses(before).entries()) {
          if (status === 'running') continue;
          expect(statuses(after)[nth]).toBe(status);
          expect(after.tasks[nth]).toEqual(before.tasks[nth]);
        }
      }),
    );
  });

  it('is as it was where nobody has, or where there is none', () => {
    expect(withHandedIn(atWork, [])).toBe(atWork);
    const none = { team: null, tasks: [], messages: [] };
    expect(liveTeam(none, [ended(done('sde-iii'))], 'REVIEWING')).toBe(none);
  });
});

describe('readers while reviewers run', () => {
  it('take whatever else a project left for nothing', () => {
    for (const result of [null, 7, [], {}, { status: 'mood' }, done('sde-iii')]) {
      const seen = liveTeam(atWork, [{ key: 'sde-iii', result, isLeft: false }], 'REVIEWING');
      expect(statuses(seen)[0]).toBe('lost');
      expect(words(seen)[1]).toBe(`2 sde-iii-agent health: ${LEFT_NOTHING}`);
    }
  });

  it('hear nothing of who is no member at work', () => {
    const [first, ...rest] = team.members;
    const face = { ...atWork, team: { ...team, members: [{ ...first, status: 'skipped' as const }, ...rest] } };
    const seen = liveTeam(face as TeamFace, [ended(done('sde-iii')), ended(done('nobody'))], 'REVIEWING');
    expect(seen).toBe(face);
  });

  it('see the task that is worked on as begun, in the state where tasks are carried out alone', () => {
    const work = planTasks(
      { before: [], steps: [{ title: 'Add it', detail: '' }], after: [], asides: [] },
      atWork.tasks,
    );
    const tasks = atWork.tasks.map((task) => ({ ...task, status: 'completed' as const }));
    const face = { ...atWork, tasks: [...tasks, ...work] };
    const begun = (state: string) => liveTeam(face, [], state).tasks.filter(({ status }) => status === 'in_progress');
    expect(begun('EXECUTING').map(({ id }) => id)).toEqual([work[0]?.id]);
    expect(liveTeam(face, [], 'UAT')).toBe(face);
  });

  it('are told by the lead what became of those that were stopped', () => {
    const left = [done('ux-designer'), lost('docs-writer')].map((one) => ({ ...ended(one), isLeft: true }));
    expect(statuses(liveTeam(atWork, left, 'REVIEWING'))).toEqual(['running', 'done', 'running', 'running']);
  });
});
