import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { did, inTurn, reviewed, writes } from './coding-team.js';
import { ErrandWorld } from './errand-world.js';
import { byConversation } from './heal-cases.js';
import { checks, finding, planOfReport, plans, REPORT, REPORT_TEXT, stepOf, worked } from './work-team.js';
import { WorkWorld } from './work-world.js';

describe.concurrent.each(['anthropic', 'openai'] as const)('a project of work mode escalates, over %s', (provider) => {
  let world: ErrandWorld;
  let work: WorkWorld;
  beforeAll(async () => {
    world = await ErrandWorld.open({}, {}, provider);
    work = new WorkWorld(world);
  });
  afterAll(() => world.close());

  const large = { reviewer: () => reviewed([{ priority: 'P1', title: 'The report has no date' }]) } as const;

  it('by the domains of its request, before there is a plan', async () => {
    const one = await work.start(large, {
      request: 'Report on the login button, the database query, the deployment with docker and the latency',
    });
    const ended = await one.ended('completed');
    expect(ended).toMatchObject({ escalated: true, mode: 'work', machine: 'qralph-work' });
    expect(await one.states()).not.toContain('USER_REVIEW');
    expect((await one.states()).slice(0, 4)).toEqual(['INIT', 'DISCOVERING', 'ESCALATE', 'REVIEWING']);
    expect((ended.team?.agents ?? []).length).toBeGreaterThanOrEqual(3);
    expect(await one.page('SUMMARY.md')).toContain('domains:');
  });

  it('by a P0 that a step comes across: reviewers and those after them know what was done', async () => {
    const danger = finding('P0', 'The toggle deletes the settings');
    const one = await work.start({
      ...large,
      planner: () => plans([stepOf(), stepOf({ title: 'Write the annex', file: 'docs/annex.md' })]),
      worker: ({ prompt, call }) => {
        const isAnnex = prompt.includes('Write the annex\\n');
        if (call.turn === 0) return writes(isAnnex ? { 'docs/annex.md': REPORT_TEXT } : { [REPORT]: REPORT_TEXT });
        return worked(isAnnex ? 'the annex' : 'wrote what it does', { findings: isAnnex ? [] : [danger] });
      },
      checker: ({ prompt }) =>
        checks('pass', prompt.includes('Write the annex\\n') ? { evidence: [{ file: 'docs/annex.md', quote: REPORT_TEXT }] } : {}), // prettier-ignore
      implementer: ({ prompt, call }) => {
        const path = prompt.includes('Priority P1.') ? 'docs/date.md' : 'docs/fix.md';
        return call.turn === 0 ? writes({ [path]: REPORT_TEXT }) : did('mended');
      },
    });
    await one.atPlan();
    await one.decide('approve');
    const ended = await one.ended('completed');
    expect(ended).toMatchObject({ escalated: true, findings: { P0: 1, P1: 1 } });
    expect(await one.states()).toEqual(expect.arrayContaining(['ESCALATE', 'REVIEWING', 'UAT', 'COMPLETE']));
    for (const prompt of one.prompts('reviewer')) {
      expect(prompt).toContain('a P0 was found: The toggle deletes the settings');
      expect(prompt).toMatch(/done: T-001 Write the report \([0-9a-f]{8}\): wrote what it does/);
    }
    const tasks = await one.tasks();
    const kinds = tasks.filter(({ kind }) => kind !== 'review').map(({ kind, status }) => `${kind} ${status}`);
    expect(kinds).toEqual(['step completed', 'finding completed', 'finding completed', 'step completed']);
    expect(one.prompts('implementer')[0]).toContain('done: T-001 Write the report');
    expect(one.prompts('work-planner')[0]).toContain('2. Write the annex (The report says what the toggle does.)');
    expect(one.prompts('inspector').length).toBeGreaterThan(0);
  });

  it('by three heal attempts', async () => {
    const wrongly = inTurn(writes({ [REPORT]: '# Report\n\nTODO\n' }), did('a report'));
    const one = await work.start({
      ...large,
      worker: byConversation(() => worked('all is done'), inTurn(writes({ [REPORT]: REPORT_TEXT }), worked('it'))),
      healer: wrongly,
      implementer: ({ prompt, call }) => {
        const path = prompt.includes('Priority P1.') ? 'docs/date.md' : 'docs/fix.md';
        return call.turn === 0 ? writes({ [path]: REPORT_TEXT }) : did('mended');
      },
    });
    await one.atPlan();
    await one.decide('approve');
    const ended = await one.ended('completed');
    expect(ended.escalated).toBe(true);
    const states = await one.states();
    expect(states.filter((state) => state === 'SELF_HEAL')).toHaveLength(3);
    expect(states[states.lastIndexOf('SELF_HEAL') + 1]).toBe('ESCALATE');
    expect(one.prompts('reviewer')[0]).toContain('3 heal attempts were made');
  });

  it('by the command while its plan is scoped', async () => {
    let [letGo, begins] = [(): void => undefined, (): void => undefined];
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const begun = new Promise<void>((resolve) => (begins = resolve));
    let asked = 0;
    const one = await work.start({
      ...large,
      'work-planner': async () => {
        asked += 1;
        begins();
        if (asked === 1) await held;
        return planOfReport();
      },
    });
    try {
      await one.atPlan();
      await one.decide('approve');
      await begun;
      await one.api.command(one.id, 'ESCALATE');
      const ended = await one.ended('completed');
      expect(ended.escalated).toBe(true);
    } finally {
      letGo();
    }
    const states = await one.states();
    expect(states[states.indexOf('SCOPING') + 1]).toBe('ESCALATE');
    expect((await one.tasks()).filter(({ kind }) => kind === 'step').map(({ status }) => status)).toEqual([
      'completed',
    ]);
  });

  it('by the command, once', async () => {
    const one = await work.start(large);
    await one.atPlan();
    await one.api.command(one.id, 'ESCALATE');
    const ended = await one.ended('completed');
    expect(ended.escalated).toBe(true);
    expect(one.prompts('reviewer')[0]).toContain('A plan was drafted, which nobody has approved');
    expect(await one.page('SUMMARY.md')).toContain('a person asked for it');
    const spoken = provider === 'openai' ? 'responses' : 'anthropic';
    expect(new Set(one.calls().map(({ protocol }) => protocol))).toEqual(new Set([spoken]));
  });
});
