import { describe, expect, it } from 'vitest';
import type { ChildResult } from '#engine';
import { findingsOf, messagesOf, reviewsOf, tasksOf, teamOf } from './coding-context.js';
import { eventOf, fakeParts, reviewOf, taskOf, Visit } from './coding.fixture.js';
import { review } from './review.activity.js';
import { partialReview } from './reviewer/partial-review.js';
import type { Review } from './reviewer/review.js';

const AGENTS = ['security-reviewer', 'ux-designer', 'product'];
const seats = AGENTS.map((agent) => ({ agent, tier: 'medium', isCritical: agent === 'security-reviewer', instructions: '', skills: [] })); // prettier-ignore
const members = AGENTS.map((agent) => ({ agent, teammate: `${agent}-agent`, tier: 'medium', source: 'built-in', isCritical: false, skills: [], score: 1, reasons: [], status: 'running' })); // prettier-ignore
const known = {
  seats,
  team: { name: 'qralph-001-x', domains: [], members, status: 'working' },
  tasks: AGENTS.map((agent, nth) => taskOf(`T-00${String(nth + 1)}`, { kind: 'review', owner: `${agent}-agent` })),
};
const child = (result: Review): ChildResult =>
  ({ key: result.agent, id: 'c', outcome: 'completed', result }) as unknown as ChildResult;
const finding = { priority: 'P1' as const, title: 'No test', body: 'Of it', file: null, line: null, confidence: 0.9 };

async function visited(context: object, children: readonly Review[] | null, milestone: string | null = null) {
  const visit = new Visit({ ...known, ...context }, { state: 'REVIEWING', children: children?.map(child) ?? null });
  const world = fakeParts();
  const report = await review(world.parts, milestone)(visit.activity);
  return { report, ...world, visit };
}

const all = AGENTS.map((agent) => reviewOf(agent, { findings: agent === 'ux-designer' ? [finding] : [] }));
const SKIP = { command: { command: 'SKIP', state: 'REVIEWING', visit: 4 } };
const left = (cause: string, decision: string): object => ({
  block: { cause },
  decision: { gate: 'resolve-problem', decision },
});

describe('REVIEWING', () => {
  it('waits for its reviewers, and shows them at work', async () => {
    const { report } = await visited({}, null);
    if (report.kind !== 'wait-for-children') throw new Error(report.kind);
    expect(report.children.map(({ key, machine }) => `${machine} ${key}`)).toEqual(
      AGENTS.map((one) => `review ${one}`),
    );
    expect(tasksOf({ context: report.patch ?? {} }).map(({ status }) => status)).toEqual(
      AGENTS.map(() => 'in_progress'),
    );
  });

  it('keeps what a person said with the approval of the plan, and tells it to each reviewer', async () => {
    const decision = { gate: 'plan', decision: 'approve', feedback: 'Name it theme.' };
    const plan = { summary: 'A module', steps: [] };
    const { report } = await visited({ plan, feedback: ['Smaller.'], decision }, null);
    if (report.kind !== 'wait-for-children') throw new Error(report.kind);
    for (const { context } of report.children) expect(context['notes']).toMatch(/A module[^]*Name it theme\./);
    expect(report.patch).toMatchObject({ approval: 'Name it theme.', feedback: ['Smaller.', 'Name it theme.'] });
    const later = await visited({ plan, ...report.patch }, null);
    expect(later.report).toMatchObject({
      patch: { approval: 'Name it theme.', feedback: ['Smaller.', 'Name it theme.'] },
    });
  });

  it('makes one list of findings, and the pages that show it; the plan follows in SCOPING', async () => {
    const { report, pages, visit } = await visited({}, all, 'QRALPH: Reviews complete');
    const { type, patch, data } = eventOf(report);
    expect([type, data['P1'], data['reviewers']]).toEqual(['reviews:synthesised', 1, 3]);
    expect(findingsOf({ context: patch }).map(({ id, agents }) => [id, ...agents])).toEqual([['F-001', 'ux-designer']]);
    expect(tasksOf({ context: patch }).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      ...AGENTS.map(() => 'review completed'),
    ]);
    expect(patch).toMatchObject({ requestPlan: null, baseline: { verdict: 'passed' }, repositoryMap: 'map' });
    expect(teamOf({ context: patch })?.members.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect([...pages.keys()]).toEqual([...AGENTS.map((one) => `agent-outputs/${one}.md`), 'SYNTHESIS.md']);
    expect([visit.steps.includes('milestone'), patch['commit']]).toEqual([true, 'milestone']);
  });

  it('leaves a plan as it is that a person approved', async () => {
    const { pages } = await visited({ plan: { summary: 'a module', steps: [], risks: [] } }, all);
    expect([...pages.keys()].filter((name) => /PLAN|ASSUMPTIONS/.test(name))).toEqual([]);
  });

  it('goes on without one that is lost and not critical, and says who', async () => {
    const lost = reviewOf('product', { status: 'lost', health: 'silent', why: 'nothing written', findings: [finding] });
    const { patch, data } = eventOf((await visited({}, [...all.slice(0, 2), lost])).report);
    expect(data['lost']).toEqual(['product']);
    expect(findingsOf({ context: patch })).toHaveLength(1);
  });

  it('says how many findings it left out where there are too many', async () => {
    const many = (agent: string) =>
      Array.from({ length: 200 }, (_, nth) => ({ ...finding, title: `${agent} misses w${String(nth)}`, file: `${agent}${String(nth)}.ts` })); // prettier-ignore
    const { report, pages } = await visited({}, AGENTS.map((agent) => reviewOf(agent, { findings: many(agent) }))); // prettier-ignore
    const { patch, data } = eventOf(report);
    expect([findingsOf({ context: patch }).length, data['P1'], data['leftOut']]).toEqual([500, 500, 100]);
    expect(pages.get('SYNTHESIS.md')).toContain(
      'P1: 500, P2: 0; 100 more, less urgent, are in the pages of their agents',
    );
  });

  it('goes on without a critical one that is lost, and says who', async () => {
    const lost = reviewOf('security-reviewer', { status: 'lost', why: 'timed out' });
    const { report, pages } = await visited({}, [lost, ...all.slice(1)]);
    const { type, patch, data } = eventOf(report);
    expect([type, data['lost'], patch['block']]).toEqual(['reviews:synthesised', ['security-reviewer'], null]);
    expect(pages.get('SYNTHESIS.md')).toContain('It handed in nothing that counts (timed out).');
  });

  it('uses the partial output of a critical one, and shows it as partial', async () => {
    const said = 'I read the dark mode.\n\n### P0\n- **The token is printed**\n';
    const lost = reviewOf('security-reviewer', { status: 'lost', why: 'timed out', partial: said });
    for (const late of [lost, partialReview(lost, ['Add dark mode'])]) {
      const { report, pages } = await visited({}, [late, ...all.slice(1)]);
      const { type, patch, data } = eventOf(report);
      expect([type, data['partial'], data['lost']]).toEqual(['reviews:synthesised', ['security-reviewer'], undefined]);
      expect(findingsOf({ context: patch }).map(({ title }) => title)).toContain('The token is printed');
      expect(teamOf({ context: patch })?.members.map(({ status }) => status)).toEqual(['partial', 'done', 'done']);
      expect(tasksOf({ context: patch })[0]).toMatchObject({ status: 'completed', note: 'timed out' });
      expect(pages.get('SYNTHESIS.md')).toContain('Partial output only (timed out). P0: 1, P1: 0, P2: 0');
      expect(pages.get('agent-outputs/security-reviewer.md')).toContain('- partial output: timed out\n');
    }
  });

  it('uses the partial output of any reviewer if all are lost, and asks nobody', async () => {
    const lost = AGENTS.map((agent) => reviewOf(agent, { status: 'lost', why: 'timed out', summary: '' }));
    const [first, second, third] = lost;
    if (!first || !second || !third) throw new Error('three reviewers are expected');
    const said = { ...third, partial: 'The dark mode has no switch.' };
    const { type, data } = eventOf((await visited({}, [first, second, said])).report);
    expect([type, data['partial'], data['lost']]).toEqual([
      'reviews:synthesised',
      ['product'],
      ['security-reviewer', 'ux-designer'],
    ]);
  });

  it('blocks where nobody has handed in, though none of them is critical, and seats them all again', async () => {
    const plain = { seats: seats.slice(1), tasks: known.tasks.slice(1) };
    const lost = AGENTS.slice(1).map((agent) => reviewOf(agent, { status: 'lost', why: 'timed out' }));
    const { type, patch } = eventOf((await visited(plain, lost)).report);
    expect([type, patch['block']]).toEqual(['critical-reviewer:lost', expect.objectContaining({ cause: 'reviewer' })]);
    expect(patch['why']).toMatch(
      /^No reviewer of this team has any output, after all tries\. Missing: ux-designer, product\.\n[^]*Why:\n- ux-designer: timed out\n- product: timed out\n[^]*`resolve`[^]*`defer` continues without the reviews that are missing\.$/,
    );
    const again = await visited({ ...plain, ...patch, ...left('reviewer', 'resolve') }, null);
    expect(again.report.kind === 'wait-for-children' && again.report.children.map(({ key }) => key)).toEqual([
      ...['ux-designer', 'product'],
    ]);
    const without = await visited({ ...plain, ...patch, ...left('reviewer', 'defer') }, null);
    expect(eventOf(without.report)).toMatchObject({ type: 'reviews:synthesised', data: { lost: AGENTS.slice(1) } });
  });

  it('shows at a block who has handed in, and what, and says it once', async () => {
    const broke = reviewOf('security-reviewer', { status: 'over-budget', why: 'the cap' });
    const { report, pages } = await visited({}, [broke, ...all.slice(1)]);
    const { patch } = eventOf(report);
    expect([...pages.keys()]).toEqual(['agent-outputs/ux-designer.md', 'agent-outputs/product.md']);
    expect(teamOf({ context: patch })?.members.map(({ status }) => status)).toEqual(['lost', 'done', 'done']);
    expect(tasksOf({ context: patch }).map(({ status }) => status)).toEqual(['skipped', 'completed', 'completed']);
    const again = await visited({ ...patch, ...left('budget', 'resolve') }, [reviewOf('security-reviewer')]);
    const after = messagesOf({ context: eventOf(again.report).patch });
    expect(after.map(({ seq, from, kind }) => `${String(seq)} ${from} ${kind}`)).toEqual([
      '1 security-reviewer-agent health',
      '2 ux-designer-agent summary',
      '3 product-agent summary',
      '4 security-reviewer-agent summary',
    ]);
  });

  it('seats after a block only whom it was about: one that is lost and not critical is gone on without by then', async () => {
    const lost = AGENTS.map((agent) => reviewOf(agent, { status: 'lost', why: 'timed out' }));
    for (const [cause, first] of [
      ['reviewer', lost[0]],
      ['budget', reviewOf('security-reviewer', { status: 'over-budget', why: 'the cap' })],
    ] as const) {
      const { patch } = eventOf((await visited({}, [...(first ? [first] : []), ...lost.slice(1)])).report);
      const again = await visited({ ...patch, ...left(cause, 'resolve') }, null);
      if (again.report.kind !== 'wait-for-children') throw new Error(again.report.kind);
      expect(again.report.children.map(({ key }) => key)).toEqual(['security-reviewer']);
      const shown = teamOf({ context: again.report.patch ?? {} })?.members.map(({ status }) => status);
      expect(shown).toEqual(['running', 'lost', 'lost']);
      const ended = await visited({ ...patch, ...left(cause, 'resolve') }, [reviewOf('security-reviewer')]);
      expect(eventOf(ended.report).data['lost']).toEqual(['ux-designer', 'product']);
    }
  });

  it('names the budget first, whoever else is lost', async () => {
    const broke = reviewOf('product', { status: 'over-budget', why: 'the cap' });
    const lost = reviewOf('security-reviewer', { status: 'lost', why: 'timed out' });
    const { type, patch } = eventOf((await visited({}, [lost, broke])).report);
    expect([type, patch['block']]).toEqual([
      'work:blocked',
      expect.objectContaining({ cause: 'budget', message: 'the cap' }),
    ]);
  });

  it('asks only those again after a block that have not handed in', async () => {
    const { report } = await visited({ ...left('reviewer', 'resolve'), reviews: all.slice(1) }, null);
    expect(report.kind === 'wait-for-children' && report.children.map(({ key }) => key)).toEqual(['security-reviewer']);
  });

  it('goes on without the critical one where a person put it off', async () => {
    const { type, patch, data } = eventOf(
      (await visited({ ...left('reviewer', 'defer'), reviews: all.slice(1) }, null)).report,
    );
    expect([type, data['lost']]).toEqual(['reviews:synthesised', ['security-reviewer']]);
    expect(reviewsOf({ context: patch }).find(({ agent }) => agent === 'security-reviewer')).toMatchObject({
      status: 'skipped',
      why: 'a person went on without it',
    });
    expect(patch['block']).toBeNull();
  });

  it('on SKIP keeps what was handed in and drops whoever still ran, critical or not', async () => {
    const cut = reviewOf('product', { status: 'lost', why: 'aborted' });
    const { type, patch } = eventOf((await visited(SKIP, [all[1] ?? cut, cut])).report);
    expect(type).toBe('reviews:synthesised');
    expect(reviewsOf({ context: patch }).map(({ agent, status }) => `${agent} ${status}`)).toEqual([
      ...['ux-designer done', 'security-reviewer skipped', 'product skipped'],
    ]);
    expect(tasksOf({ context: patch }).filter(({ kind }) => kind === 'review').map(({ status }) => status)).toEqual([
      ...['skipped', 'completed', 'skipped'],
    ]); // prettier-ignore
  });

  it('says that a model was simulated', async () => {
    const simulated = all.map((one) => ({ ...one, isSimulated: true }));
    const { report, pages } = await visited({}, simulated);
    expect(eventOf(report).patch['simulated']).toBe(true);
    expect(pages.get('SYNTHESIS.md')).toContain('simulated model');
  });

  it('takes a child that left no result for lost', async () => {
    const visit = new Visit(known, {
      state: 'REVIEWING',
      children: AGENTS.map((key) => ({ key, id: 'c', outcome: 'failed', result: null })),
    });
    const { type } = eventOf(await review(fakeParts().parts, null)(visit.activity));
    expect(type).toBe('critical-reviewer:lost');
  });
});
