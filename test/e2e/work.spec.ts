import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gate } from '#contracts';
import { eventually, type Reply } from '#testing';
import { did, inTurn, json, scoped, writes } from './coding-team.js';
import { ErrandWorld } from './errand-world.js';
import { byConversation } from './heal-cases.js';
import { plans, REPORT, REPORT_TEXT, stepOf, worked } from './work-team.js';
import { WorkWorld } from './work-world.js';

let world: ErrandWorld;
let work: WorkWorld;
beforeAll(async () => {
  world = await ErrandWorld.open();
  work = new WorkWorld(world);
});
afterAll(() => world.close());

/** Three times with feedback, which each plan knows, and at last it is rejected. */
async function revisedAndRejected(on: WorkWorld): Promise<void> {
  const one = await on.start({});
  for (const [nth, words] of ['Make it shorter.', 'Name the themes.', 'In two parts.'].entries()) {
    await one.atPlan(nth + 1);
    const empty = { decision: 'revise', feedback: '  ' };
    const refusal = await one.api.refusal('POST', `/v1/projects/${one.id}/gates/plan`, empty);
    expect(refusal).toMatchObject({ status: 422, code: 'FEEDBACK_REQUIRED' });
    await one.decide('revise', words);
  }
  await one.atPlan(4);
  const prompts = one.prompts('planner');
  expect(prompts).toHaveLength(4);
  expect(prompts[0]).not.toContain('Make it shorter.');
  for (const words of ['Make it shorter.', 'Name the themes.', 'In two parts.']) expect(prompts[3]).toContain(words);
  const page = await one.page('PLAN-FEEDBACK.md');
  expect(page).toContain('## 3\n\n    In two parts.');
  await one.decide('reject');
  const { state } = await one.ended('aborted');
  expect([state, one.prompts('worker').length, await one.told('budget.changed')]).toEqual(['TEAM_SHUTDOWN', 0, []]);
}

describe('a project of work mode, where OpenAI is the only provider', () => {
  let other: ErrandWorld;
  let overOpenAi: WorkWorld;
  beforeAll(async () => {
    other = await ErrandWorld.open({}, {}, 'openai');
    overOpenAi = new WorkWorld(other);
  });
  afterAll(() => other.close());

  it('is planned, carried out and checked over its protocol', async () => {
    const one = await overOpenAi.start({ worker: byConversation(() => worked('all is done')) });
    await one.atPlan();
    await one.decide('approve');
    const ended = await one.ended('completed');
    expect(new Set(one.calls().map(({ protocol }) => protocol))).toEqual(new Set(['responses']));
    expect([await one.onBranch(REPORT), ended.escalated]).toEqual([REPORT_TEXT.trimEnd(), false]);
    expect((await one.states()).filter((state) => state === 'SELF_HEAL')).toHaveLength(1);
  });

  it('is revised and rejected there too', () => revisedAndRejected(overOpenAi));
});

const DATA_CHECK = '.qralph-checks/data.mjs';
const DATA_CHECK_FILE = `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
assert.ok(existsSync('data.json'), 'data.json is there');
`;
const plannedData = (): Reply =>
  scoped({
    class: 'behaviour',
    parts: [{ title: 'There is data', interface: 'data.json', failingTests: [] }],
    steps: [
      { title: 'Write the data', detail: '', parts: [1], findings: [], check: 'It is JSON.' },
      { title: 'Write the report', detail: '', parts: [], findings: [], check: 'It is there.' },
    ],
  });
const checkedData = (): Reply =>
  json({
    checks: [
      { part: 1, title: 'data.json is there', files: [DATA_CHECK], command: `node ${DATA_CHECK}`, why: 'It is not.' },
    ],
  });

interface Listed {
  readonly data: readonly { name: string; deliverable?: { path: string; commit: string; task: string } }[];
}

describe.concurrent('a project of work mode', () => {
  it('plans, is approved at once, and leaves its document on the branch, with the cap that was approved', async () => {
    const one = await work.start({}, { budget: { usd: '30.00' } });
    const gate = await one.atPlan();
    const cap = /Approving sets the cap to (\d+\.\d\d) USD/.exec(gate.why ?? '')?.[1] ?? '';
    const { budget } = await one.api.project(one.id);
    expect(budget?.usd.cap).toBe('30.00');
    // Half of what the steps may cost is allowed for plan, checks and proof.
    expect(Number(cap)).toBeGreaterThanOrEqual(4.5);
    expect(Number(cap) - Number(budget?.usd.used) - 4.5).toBeLessThan(0.01);
    expect(gate.why).toContain('\nAllowance for plan, checks and proof: 1.50 USD.\n');
    const plan = await one.page('PLAN.md');
    for (const words of [`cap to ${cap} USD`, '## Domains', '## Skills', '## Agents', '## Escalation', 'checked by: an agent that did not write it', '   - cost: 0.05 USD, from 0.01 to 3.00', '- allowance for plan, checks and proof: 1.50 USD', '- time: 2 minutes, from 1 to 5', 'more than 3 domains']) expect(plan).toContain(words); // prettier-ignore
    expect(await one.tasks()).toMatchObject([{ id: 'T-001', kind: 'step', status: 'pending' }]);
    await one.decide('approve');
    const ended = await one.ended('completed');
    expect(await one.states()).toEqual(
      ['INIT', 'DISCOVERING', 'PLANNING', 'USER_REVIEW', 'EXECUTING', 'SCOPING', 'EXECUTING', 'EXECUTING', 'COMPLETE', 'TEAM_SHUTDOWN'], // prettier-ignore
    );
    expect([ended.mode, ended.machine, ended.escalated, ended.budget?.usd.cap]).toEqual(['work', 'qralph-work', false, cap]); // prettier-ignore
    expect(ended.budget?.tokens.cap).toBe(500_000);
    expect(await one.told('budget.changed')).toMatchObject([
      { from: { usd: '30.00' }, to: { usd: cap }, by: 'human', because: 'the plan was approved' },
    ]);
    expect(await one.onBranch(REPORT)).toBe(REPORT_TEXT.trimEnd());
    const [task] = await one.tasks();
    expect(task).toMatchObject({ status: 'completed', commit: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown });
    const { data } = await one.read<Listed>('artifacts');
    const deliverable = { path: REPORT, commit: task?.commit, task: 'T-001' };
    expect(data).toContainEqual(expect.objectContaining({ name: `deliverables/${REPORT}`, deliverable }));
    expect(await one.page(`deliverables/${REPORT}`)).toBe(REPORT_TEXT);
    const summary = await one.page('SUMMARY.md');
    expect(summary).toMatch(/^- proven: yes$/m);
    expect(summary).toMatch(new RegExp(`## Deliverables\\n\\n- docs/report\\\\?\\.md in ${task?.commit?.slice(0, 12) ?? ''}`)); // prettier-ignore
    expect(one.prompts('checker')).toHaveLength(1);
    expect(one.prompts('checker')[0]).not.toContain('as its author says');
    // A document needs no checks: beside its plan, its work and its check one agent scopes it and one reads it.
    const roles = ['planner', 'work-planner', 'worker', 'checker', 'inspector'] as const;
    expect(roles.map((role) => one.prompts(role).length)).toEqual([1, 1, 1, 1, 1]);
    expect(one.calls().filter(({ turn }) => turn === 0)).toHaveLength(roles.length);
    expect(await one.told('proof.judged')).toMatchObject([{ proven: 'yes', rules: [] }]);
  });

  it('is revised three times with feedback, which each plan knows, and is rejected at last', () =>
    revisedAndRejected(work));

  it('asks what only a person can say, and goes on with the answer', async () => {
    const asks = worked('two readers come into question', { outcome: 'needs-feedback', question: 'For whom is it?' });
    const one = await work.start({
      worker: byConversation(() => asks, inTurn(writes({ [REPORT]: REPORT_TEXT }), worked('for newcomers'))),
    });
    await one.atPlan();
    await one.decide('approve');
    const gate = await one.atPlan(2);
    expect(gate.why).toContain('T-001 Write the report asks:\n\nFor whom is it?');
    expect((await one.tasks())[0]).toMatchObject({ status: 'in_progress' });
    await one.decide('approve', 'For newcomers.');
    await one.ended('completed');
    expect(one.prompts('worker')[1]).toContain('For whom is it?\\n=> For newcomers.');
    expect(await one.told('budget.changed')).toHaveLength(1);
    expect(await one.page('PLAN-FEEDBACK.md')).toContain('For newcomers.');
  });

  it('is scoped again if a step asks and the plan is revised', async () => {
    const asks = worked('it may be long', { outcome: 'needs-feedback', question: 'How long?' });
    const one = await work.start({
      worker: byConversation(() => asks, inTurn(writes({ [REPORT]: REPORT_TEXT }), worked('a short one'))),
    });
    await one.atPlan();
    await one.decide('approve');
    await one.atPlan(2);
    await one.decide('revise', 'A short one.');
    await one.atPlan(3);
    await one.decide('approve');
    await one.ended('completed');
    expect(one.prompts('work-planner')).toHaveLength(2);
    const states = await one.states();
    expect(states.filter((state) => state === 'SCOPING')).toHaveLength(2);
    // The repository has not changed since.
    const baselines = (await one.told('workspace.verified')).filter(({ step }) => step === 'baseline');
    expect(baselines).toHaveLength(1);
    expect(await one.page('SUMMARY.md')).toMatch(/^- proven: yes$/m);
  });

  it('does not take a claim for the work: what changed nothing, or left a hollow document, is healed first', async () => {
    const one = await work.start({
      worker: () => worked('all is done'),
      healer: byConversation(
        inTurn(writes({ [REPORT]: '# Report\n\nTODO\n' }), did('a report')),
        inTurn(writes({ [REPORT]: REPORT_TEXT }), did('the report, whole')),
      ),
    });
    await one.atPlan();
    await one.decide('approve');
    const ended = await one.ended('completed');
    const { data } = await one.read<{ data: { title: string; status: string; attempts: { why: string }[] }[] }>('problems'); // prettier-ignore
    expect(data).toMatchObject([{ status: 'fixed' }]);
    expect(data[0]?.title).toContain('nothing was changed');
    expect(data[0]?.attempts[0]?.why).toContain('placeholders and nothing else');
    expect(await one.onBranch(REPORT)).toBe(REPORT_TEXT.trimEnd());
    expect(ended.escalated).toBe(false);
  });

  it('has each step checked as the plan says: by a command that the service runs itself', async () => {
    const code = stepOf({ title: 'Write the data', file: null, check: 'It is JSON.', command: "node -e \"JSON.parse(require('fs').readFileSync('data.json'))\"" }); // prettier-ignore
    const one = await work.start({
      planner: () => plans([code, stepOf()]),
      'work-planner': () => plannedData(),
      'check-author': inTurn(writes({ [DATA_CHECK]: DATA_CHECK_FILE }), checkedData()),
      worker: ({ prompt, call }) => {
        const isData = prompt.includes('Write the data\\n');
        if (call.turn > 0) return worked('done');
        return writes(isData ? { 'data.json': '{' } : { [REPORT]: REPORT_TEXT });
      },
      healer: inTurn(writes({ 'data.json': '{"a": 1}' }), did('closed the brace')),
    });
    await one.atPlan();
    await one.decide('approve');
    await one.ended('completed');
    expect((await one.told('step.checked')).map(({ exitCode }) => exitCode)).toEqual([1, 1, 0, 0]);
    expect((await one.told('step.checked-before')).map(({ exitCode }) => exitCode)).toEqual([1, 1]);
    expect((await one.tasks()).map(({ id, status }) => [id, status])).toEqual([
      ['T-001', 'completed'],
      ['T-002', 'completed'],
    ]);
    const summary = await one.page('SUMMARY.md');
    expect(summary).toContain('- T-001: held, by its command');
    expect(summary).toMatch(/## What proves it[^]*data\\?\.json is there" failed before and passes now/);
    expect(await one.page('CHECKS.md')).toContain(DATA_CHECK);
  });

  it('ends without a demand for tests where the repository has none', async () => {
    const one = await work.start({}, { verify: ['true'] });
    await one.atPlan();
    await one.decide('approve');
    await one.ended('completed');
    expect(await one.states()).not.toContain('BLOCKED');
  });

  it('asks before it is complete where it was started so, and what a person wants changed then is carried out', async () => {
    const one = await work.start(
      {
        worker: ({ prompt, call }) => {
          const isWish = prompt.includes('Say when it was added.');
          if (call.turn > 0) return worked(isWish ? 'with its date' : 'the report');
          return writes({ [REPORT]: isWish ? `${REPORT_TEXT}\nIt was added in May.\n` : REPORT_TEXT });
        },
      },
      { gates: { complete: true } },
    );
    const decideEnd = (body: object): Promise<unknown> => one.api.must('POST', `/v1/projects/${one.id}/gates/complete`, body); // prettier-ignore
    const atEnd = (nth: number): Promise<unknown> =>
      eventually(
        'it is asked before its end',
        async () => {
          const isThere = (await one.api.project(one.id)).waitingFor?.['gate'] === 'complete';
          return isThere && (await one.states()).filter((state) => state === 'BEFORE_COMPLETE').length === nth;
        },
        { deadlineMs: 120_000, everyMs: 100 },
      );
    await one.atPlan();
    await one.decide('approve');
    await atEnd(1);
    const [asked] = (await one.read<{ data: Gate[] }>('gates')).data;
    expect([asked?.name, asked?.options.toSorted()]).toEqual(['complete', ['approve', 'reject', 'revise']]);
    expect(asked?.why).toContain('T-001');
    await decideEnd({ decision: 'revise', feedback: 'Say when it was added.', checkpoint: asked?.checkpoint.seq });
    await atEnd(2);
    await decideEnd({ decision: 'approve' });
    await one.ended('completed');
    expect(await one.onBranch(REPORT)).toContain('It was added in May.');
    expect((await one.tasks()).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'step completed',
      'feedback completed',
    ]);
  });

  it('leaves out a step that a person skips, and says that it is not whole', async () => {
    let [letGo, begins] = [(): void => undefined, (): void => undefined];
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const begun = new Promise<void>((resolve) => (begins = resolve));
    const one = await work.start({
      planner: () => plans([stepOf({ title: 'Write the annex', file: 'docs/annex.md' }), stepOf()]),
      worker: async ({ prompt, call }) => {
        if (prompt.includes('Write the annex\\n')) {
          begins();
          await held;
        }
        return call.turn > 0 ? worked('the report') : writes({ [REPORT]: REPORT_TEXT });
      },
    });
    try {
      await one.atPlan();
      await one.decide('approve');
      await begun;
      await one.api.command(one.id, 'SKIP');
      await one.ended('completed');
    } finally {
      letGo();
    }
    expect((await one.tasks()).map(({ id, status }) => [id, status])).toEqual([
      ['T-001', 'deferred'],
      ['T-002', 'completed'],
    ]);
    expect(await one.page('DEFERRED.md')).toContain('Write the annex');
    expect(await one.page('SUMMARY.md')).toContain(
      '- proven: no: it is not fully proven, because a person put some steps off',
    );
  });
});
