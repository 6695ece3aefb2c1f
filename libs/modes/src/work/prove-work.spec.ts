import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { byRole, eventOf, fakeParts, taskOf, verifiedAs, Visit, WORKTREE } from '../coding/coding.fixture.js';
import { contextOf } from '../coding/context.js';
import { INSPECTOR } from '../coding/proof/inspect.js';
import { failingRun, planWith, readsParts } from '../coding/proof/proof.fixture.js';
import { proveWork } from './prove-work.js';

const tasks = [taskOf('T-001', { kind: 'step', status: 'completed', commit: 'made' })];
const document = planWith({ class: 'document' });
const given = { tasks, requestPlan: document, commit: 'made' };

/** A report, which an agent reads unless another one is given. */
const prove = async (
  context: object = {},
  agent = byRole(readsParts(1)),
  world: Parameters<typeof fakeParts>[0] = {},
  baseline = verifiedAs('passed'),
) => {
  const { parts, asked } = fakeParts({ agent, changed: ['docs/report.md'], ...world });
  const ended = eventOf(await proveWork(parts)(new Visit({ ...given, ...context }).activity, WORKTREE, baseline));
  return { ...ended, roles: asked.map(({ role }) => role), known: contextOf({ context: ended.patch }) };
};

describe('the end of the steps', () => {
  const item = { title: 'the plan', cause: 'agent', reason: 'nobody answered', problem: null, task: null };

  it.each([
    [[], true],
    [[item], false],
  ])('is whole if nothing was put off: %j', async (deferred, isWhole) => {
    const { type, patch } = await prove({ deferred });
    expect([type, patch['isProven'], patch['isAccepted'], patch['isWhollyAccepted']]).toEqual([
      'work:verified',
      true,
      true,
      isWhole,
    ]);
  });

  it('of a document needs no test and no check, only an agent that reads it', async () => {
    const none = { ...verifiedAs('unproven', null), commands: [] };
    const { type, known, roles } = await prove({}, undefined, { clean: () => none }, none);
    expect([type, known.isProven, roles]).toEqual(['work:verified', true, [INSPECTOR]]);
  });

  it('is not accepted if a test fails that passed before', async () => {
    const { type, patch, known } = await prove({}, undefined, { clean: () => failingRun('prices') });
    expect([type, patch['isAccepted']]).toEqual(['problem:found', undefined]);
    expect(known.proof?.failings.map(({ rule }) => rule)).toContain('a');
  });

  it('is not accepted if a failure in scope is left', async () => {
    const scope = [{ name: 'prices', reason: 'the request names it' }];
    const requestPlan = planWith({ class: 'document', scope });
    const red = failingRun('prices');
    const { type, known } = await prove({ requestPlan }, undefined, { clean: () => red }, red);
    expect(type).toBe('problem:found');
    expect(known.proof?.failings.map(({ rule }) => rule)).toEqual(['b']);
  });

  it('shows a person who is asked before COMPLETE what proves it, and how each step was checked', async () => {
    const evidence = { by: 'checker', because: 'It says so.', run: null, quotes: [] };
    const results = [{ task: 'T-001', commit: 'made', files: [], deleted: [], evidence }];
    const { patch } = await prove({ gatesOn: ['complete'], results });
    expect(patch['why']).toMatch(/Proven:[^]*confirmed[^]*T-001, by checker: It says so\./);
  });

  it('is judged without a plan if a person went on before there was one', async () => {
    const { type, known } = await prove({ requestPlan: null });
    expect(known.requestPlan).toMatchObject({ class: 'behaviour', parts: [{ title: 'Add dark mode' }] });
    expect(type).not.toBe('work:verified');
  });
});

describe('a result that is not proven', () => {
  /** As many problems of the proof as are healed; then a person is asked. */
  const healed = ['T-002', 'T-003', 'T-004'].map((id) => taskOf(id, { kind: 'proof', status: 'completed' }));
  const all = [...tasks, ...healed];
  const resolve = { decision: { gate: 'resolve-problem', decision: 'resolve' } };
  let reads = 0;
  const refuses = byRole({
    [INSPECTOR]: () => ({
      output: { parts: [{ part: 1, isDone: false, why: `reason ${String((reads += 1))}` }], findings: [], tests: [] },
    }),
  });
  const asked = async (more: object = {}): Promise<JsonObject> => (await prove({ tasks: all, ...more }, refuses)).patch;

  it.each([false, true])(
    'is accepted by a person, however an agent words its reason then (escalated: %s)',
    async (escalated) => {
      const before = await asked({ escalated });
      const { type, patch } = await prove({ escalated, tasks: all, ...before, ...resolve }, refuses);
      expect([before['block'], type, patch['isProven']]).toMatchObject([{ cause: 'unproven' }, 'work:verified', false]);
      expect([patch['doubt'] === before['doubt'], patch['consentedDoubt']]).toEqual([false, null]);
    },
  );

  it('is accepted only for what was missing when the person was asked', async () => {
    const before = await asked();
    const red = { clean: () => failingRun('prices') };
    const { type } = await prove({ tasks: all, ...before, ...resolve }, refuses, red);
    expect(type).toBe('work:blocked');
  });

  it('of a full team is not accepted by its proof alone', async () => {
    const { type, patch } = await prove({ escalated: true });
    expect([type, patch['isProven'], patch['isAccepted']]).toEqual(['work:verified', true, undefined]);
  });
});
