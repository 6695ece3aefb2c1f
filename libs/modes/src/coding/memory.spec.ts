import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import type { Finding, MemoryEntry, MemoryKind } from '#contracts';
import { findingWith, fakeParts, problemOf, reviewOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { discover } from './discover.activity.js';
import { finalise } from './finalise.activity.js';
import { heal } from './heal.activity.js';
import { review } from './review.activity.js';

const entry = (kind: MemoryKind, title: string): Partial<MemoryEntry> => ({ kind, title, body: `Body of ${title}` });
const titles = (lessons: readonly { kind: string; title: string }[]) =>
  lessons.map((one) => `${one.kind} ${one.title}`);
const outcome = (kind: 'fixed' | 'not-applicable', reason: string | null): Finding['outcome'] => ({
  kind,
  commit: null,
  reason,
});

describe('DISCOVERING', () => {
  it('asks for what was learnt about such a request here, and keeps it for whoever works', async () => {
    const { parts, questions } = fakeParts({ memories: [entry('failed_approach', 'A lock')] });
    const order = { agents: { pin: [], forbid: ['sde-iii'] }, tier: 'medium', runtime: 'api' };
    const visit = new Visit({ order }, { state: 'DISCOVERING' });
    const report = await discover(parts, { min: 3, max: 7 })(visit.activity);
    expect(questions).toEqual([{ text: 'Add dark mode', repo: '/r', domains: ['frontend'], most: 10 }]);
    expect(report).toMatchObject({ patch: { memories: ['failed_approach: A lock\nBody of A lock'] } });
    expect(visit.facts.get('team.composed')).toMatchObject({
      memories: 1,
      notes: [expect.stringContaining('sde-iii is forbidden, though')],
    });
  });
});

describe('REVIEWING', () => {
  it('remembers what is urgent, or what several said, and no more than a few of it', async () => {
    const point = (title: string, priority: 'P0' | 'P1') => ({ priority, title, body: `About ${title}`, file: 'a.mjs', line: null, confidence: 0.9 }); // prettier-ignore
    const subjects = ['secrets in logs', 'lost updates', 'broken layering', 'endless recursion', 'stale cache', 'open redirect', 'weak hashing']; // prettier-ignore
    const reviews = [
      reviewOf('sde-iii', {
        findings: [point('nothing tests empty names', 'P1'), point('names are misleading', 'P1')],
      }),
      reviewOf('product', { findings: [point('nothing tests empty names', 'P1')] }),
      reviewOf('security-reviewer', { findings: subjects.map((title) => point(title, 'P0')) }),
    ];
    const learntFrom = async (given: typeof reviews) => {
      const { parts, lessons } = fakeParts();
      const children = given.map((result) => ({ key: result.agent, id: 'c', outcome: 'completed', result })) as never;
      const seats = given.map(({ agent }) => ({ agent, tier: 'medium', isCritical: false, instructions: '', skills: [] })); // prettier-ignore
      await review(parts, null)(new Visit({ seats, domains: ['data'] }, { state: 'REVIEWING', children }).activity);
      return lessons;
    };
    const [first, ...others] = await learntFrom(reviews.slice(0, 2));
    expect(first).toMatchObject({
      kind: 'architectural_decision', repo: '/r', project: '001-x', domains: ['data'], effect: 'p/key/F-001',
      title: 'nothing tests empty names', body: 'a.mjs: About nothing tests empty names',
    }); // prettier-ignore
    expect(others).toEqual([]);
    expect(await learntFrom(reviews)).toHaveLength(5);
    const simulated = await learntFrom(reviews.slice(0, 2).map((one) => ({ ...one, isSimulated: true })));
    expect(simulated[0]?.body).toMatch(/simulated model/);
  });
});

describe('COMPLETE', () => {
  const tasks = [
    taskOf('T-001', { kind: 'finding', commit: 'c', note: 'a test' }),
    taskOf('T-002', { commit: 'd', note: 'in theme.mjs' }),
  ];
  const lessonsOf = async (context: object) => {
    const { parts, lessons } = fakeParts();
    const visit = new Visit({ tasks, ...context }, { state: 'COMPLETE' });
    await finalise(parts, null)(visit.activity);
    expect(visit.told.includes('memory.learnt')).toBe(lessons.length > 0);
    return lessons;
  };

  it('remembers how the request was carried out, and whether that was proven', async () => {
    expect(await lessonsOf({ isProven: true })).toMatchObject([{ title: 'Add dark mode', body: 'in theme.mjs' }]);
    for (const context of [{}, { isProven: false }]) {
      expect(await lessonsOf(context)).toMatchObject([{ body: 'in theme.mjs\nNothing has proven that it works.' }]);
    }
    expect(await lessonsOf({ tasks: [taskOf('T-002', { note: 'nothing to do' })] })).toEqual([]);
    expect(await lessonsOf({ isProven: true, simulated: true })).toMatchObject([
      { body: 'in theme.mjs\n(Said by a simulated model.)' },
    ]);
  });

  it('remembers which of the findings that it remembered do not hold', async () => {
    const findings = [
      findingWith('F-001', { priority: 'P0', title: 'a hole', outcome: outcome('not-applicable', 'it is a test') }),
      findingWith('F-002', { priority: 'P0', title: 'a leak', outcome: outcome('fixed', null) }),
      findingWith('F-003', { priority: 'P1', title: 'a name', outcome: outcome('not-applicable', 'it is ours') }),
    ];
    expect(await lessonsOf({ isProven: true, findings, tasks: [] })).toMatchObject([
      { title: 'a hole', body: 'It was found not to hold: it is a test', effect: 'p/key/F-001' },
    ]);
  });
});

describe('SELF_HEAL', () => {
  const context = {
    baseline: verifiedAs('passed'),
    commit: 'now',
    problems: [problemOf('P-001')],
    problem: 'P-001',
    trouble: { output: 'boom' },
    tasks: [taskOf('T-001', { status: 'in_progress' })],
  };
  const place = { state: 'SELF_HEAL', counters: { 'heal-attempts/P-001': 1 } };

  it('is told what failed and what helped before, however much else was learnt about it', async () => {
    const prompts: string[] = [];
    const agent = ({ prompt }: AgentTask) => (prompts.push(prompt), {});
    const decisions = Array.from({ length: 20 }, (_, nth) =>
      entry('architectural_decision', `Decision ${String(nth)}`),
    );
    const seen = Array.from({ length: 20 }, (_, nth) => entry('error_pattern', `Error ${String(nth)}`));
    const memories = [
      ...decisions,
      entry('successful_workaround', 'A queue'),
      ...seen,
      entry('failed_approach', 'A lock'),
    ];
    await heal(fakeParts({ memories, agent }).parts)(new Visit(context, place).activity);
    expect(prompts[0]).toMatch(/Do not repeat[^]*A lock[^]*this has helped before[^]*A queue/);
    expect(prompts[0]).not.toContain('Decision');
  });

  it.each([
    ['passed', ['successful_workaround Title of P-001', 'error_pattern Title of P-001']],
    ['failed', ['failed_approach Title of P-001']],
  ] as const)('remembers an attempt after which the tests %s', async (verdict, learnt) => {
    const verify = () => verifiedAs(verdict, verdict === 'failed' ? { failed: 1 } : {}, 'not ok 1 - a');
    const agent = () => ({ output: { outcome: 'done', summary: 'a lock' } });
    const { parts, lessons } = fakeParts({ agent, verify, changed: ['a.mjs'] });
    await heal(parts)(new Visit({ ...context, simulated: true }, place).activity);
    expect(titles(lessons)).toEqual(learnt);
    expect(lessons[0]?.body).toMatch(/^a lock\n[^]*simulated model/);
  });

  it('makes no pattern of a heal that takes back what an earlier task committed', async () => {
    const step = 'diff --git a/a.mjs b/a.mjs\n--- a/a.mjs\n+++ b/a.mjs\n@@ -1,0 +1,1 @@\n+log(price);\n';
    const revert = step.replace('-1,0 +1,1', '-1,1 +1,0').replace('+log', '-log');
    const learntOf = async (attempt: string): Promise<readonly string[]> => {
      const { parts, lessons } = fakeParts({
        agent: () => ({ output: { outcome: 'done', summary: 'a lock' }, commit: 'healed' }),
        verify: () => verifiedAs('passed', {}),
        changed: ['a.mjs'],
        between: (from, to) =>
          from === 'base' && to === 'now' ? { patch: step } : to === 'healed' ? { patch: attempt } : null,
      });
      const scene = { ...context, good: { commit: 'good', checkpoint: 1 } };
      await heal(parts)(new Visit(scene, place).activity);
      return titles(lessons);
    };
    expect(await learntOf(revert)).toEqual([]);
    expect(await learntOf(step.replace('log', 'round'))).toContain('error_pattern Title of P-001');
  });
});
