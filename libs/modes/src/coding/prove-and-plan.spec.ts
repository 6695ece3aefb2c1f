import { describe, expect, it } from 'vitest';
import type { AgentOutcome } from '#agents';
import { report } from '#engine';
import type { JsonObject } from '#kernel';
import { byRole, eventOf, fakeParts, scenarioOf, verifiedAs, Visit, WORKTREE } from './coding.fixture.js';
import { PLANNER } from './plan-scenarios.js';
import { checkWith, planWith } from './proof/proof.fixture.js';
import { proveAndPlan } from './prove-and-plan.js';

const READY = { commit: 'done', requestPlan: planWith(), checks: [checkWith('C-001')] };
const SCENARIO = { title: 'It is dark', steps: 'look', command: 'node look.mjs' };

interface World {
  readonly context?: object;
  readonly proved?: { readonly type: string; readonly patch?: JsonObject };
  readonly planner?: Partial<AgentOutcome>;
}

async function prove({ context = {}, proved = { type: 'work:verified' }, planner }: World = {}) {
  const agent = planner ?? { output: { scenarios: [SCENARIO] } };
  const { parts, asked } = fakeParts({ agent: byRole({ [PLANNER]: () => agent }) });
  const visit = new Visit({ ...READY, ...context });
  let callsBeforeEnd = 0;
  const given = {
    baseline: verifiedAs('passed'),
    prove: async () => {
      await new Promise(setImmediate);
      callsBeforeEnd = asked.length;
      return report(proved.type, { isProven: true, ...proved.patch });
    },
  };
  const { type, patch } = eventOf(await proveAndPlan(parts, visit.activity, WORKTREE, given));
  return { type, patch, calls: asked.length, callsBeforeEnd };
}

describe('the acceptance scenarios', () => {
  it('are planned while the result is proven', async () => {
    const { type, patch, callsBeforeEnd } = await prove();
    expect([type, patch['isProven'], callsBeforeEnd]).toEqual(['work:verified', true, 1]);
    expect(patch['scenarios']).toMatchObject([{ id: 'S-001', title: 'It is dark', verdict: 'open' }]);
  });

  it.each<readonly [string, object]>([
    ['some exist', { scenarios: [scenarioOf('S-001')] }],
    ['a part has no check yet', { checks: [] }],
    ['new tests are tried on a wrong variant', { requestPlan: planWith({ class: 'tests-only' }) }],
    ['a person may have changed files at a block', { block: { cause: 'unproven', message: 'no test' } }],
  ])('are not planned during the proof if %s', async (_title, context) => {
    const { calls, patch } = await prove({ context });
    expect([calls, patch['scenarios']]).toEqual([0, undefined]);
  });

  it.each<readonly [string, World]>([
    ['the result is not proven', { proved: { type: 'problem:found' } }],
    ['late checks were written meanwhile', { proved: { type: 'work:verified', patch: { checks: [] } } }],
    ['the planner has to wait', { planner: { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' } }],
  ])('are left to UAT if %s', async (_title, world) => {
    const { type, patch } = await prove(world);
    expect([type, patch['scenarios']]).toEqual([world.proved?.type ?? 'work:verified', undefined]);
  });
});
