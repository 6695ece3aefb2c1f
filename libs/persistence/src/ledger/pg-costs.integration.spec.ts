import { describe, expect, it } from 'vitest';
import { CostGroupList, ProjectCosts } from '#contracts';
import { noUsage } from '#models';
import { useDatabase } from '../projects/database.fixture.js';
import { aboutOf, answered, callOf, hold, holdWithBudget, ledgerOn } from './ledger.fixture.js';
import { PgCosts } from './pg-costs.js';

const database = useDatabase('costs');
const page = { limit: 50 };

/** A root with a child; two agents; one call of each end. */
async function spent(): Promise<{ root: string; child: string }> {
  const [root, child] = [await database.sample(), await database.sample()];
  await holdWithBudget(database.pool, root);
  await hold(database.pool, child, 1);
  await database.pool.query('UPDATE project SET parent_id = $2, parent_key = id WHERE id = $1', [child, root]);
  const ledger = ledgerOn(database.pool);
  const reserve = async (projectId: string, agent: string, isSimulated = false): Promise<string> => {
    const call = callOf(aboutOf(projectId, { agent, prompt: agent === 'reviewer' ? 'review@1' : null }), {
      nanoUsd: 1_000_000n,
      tokens: 100,
    });
    await ledger.reserve({ ...call, isSimulated });
    return call.id;
  };
  await ledger.settle(await reserve(root, 'coder'), answered(250_000n, 25));
  await ledger.settle(await reserve(child, 'reviewer'), { ...answered(9n, 1), costNanoUsd: null });
  const failed = { ...answered(0n, 0), status: 'failed', usage: null, errorCode: 'MODEL_TEST' } as const;
  await ledger.settle(await reserve(child, 'reviewer'), failed);
  await ledger.settle(await reserve(root, 'coder', true), { ...answered(0n, 0), usage: noUsage });
  await reserve(root, 'coder');
  return { root, child };
}

describe('the costs of a project', () => {
  it('are those of its children too: sums, and every call, newest first', async () => {
    const { root, child } = await spent();
    const costs = ProjectCosts.parse(await new PgCosts(database.pool).ofProject(root, page));
    expect(costs.total).toMatchObject({
      calls: 5, unknownCalls: 1, simulatedCalls: 1, costUsd: '0.00025', countedUsd: '0.001250009', tokens: { input: 26 },
    }); // prettier-ignore
    expect(costs.byAgent.map(({ key, calls }) => [key, calls])).toEqual([['coder', 3], ['reviewer', 2]]); // prettier-ignore
    expect(costs.byModel).toMatchObject([{ key: 'anthropic:claude-haiku-5-5', calls: 5 }]);
    expect(costs.byState).toMatchObject([{ key: 'WORKING', calls: 5 }]);
    expect(costs.data.map(({ status }) => status)).toEqual(['open', 'done', 'failed', 'done', 'done']);
    expect(costs.data.map(({ prompt }) => prompt)).toEqual([null, null, 'review@1', 'review@1', null]);
    expect(costs.data[2]).toMatchObject({ projectId: child, tokens: null, costUsd: '0.00', errorCode: 'MODEL_TEST' });
    expect(costs.data[3]).toMatchObject({ costUsd: null, countedUsd: '0.000000009', estimateErrorUsd: '0.00' });
    expect((await new PgCosts(database.pool).ofProject(child, page)).total.calls).toBe(2);
  });

  it('are unknown, not nothing, where nobody knows the price of any call that was billed', async () => {
    const { root, child } = await spent();
    const costs = new PgCosts(database.pool);
    const ofChild = ProjectCosts.parse(await costs.ofProject(child, page));
    const unknown = { calls: 2, unknownCalls: 1, costUsd: null, countedUsd: '0.000000009' };
    expect(ofChild.total).toMatchObject(unknown);
    expect(ofChild.byAgent).toMatchObject([{ key: 'reviewer', ...unknown }]);
    const ofRoot = await costs.ofProject(root, page);
    const known = ofRoot.byAgent.map(({ key, costUsd }) => [key, costUsd]);
    expect(known).toEqual([['coder', '0.00025'], ['reviewer', null]]); // prettier-ignore
  });

  it('are nothing where every call that ended was simulated or failed, or is still under way', async () => {
    const id = await database.sample();
    await holdWithBudget(database.pool, id);
    const ledger = ledgerOn(database.pool);
    const reserve = async (isSimulated: boolean): Promise<string> => {
      const call = { ...callOf(aboutOf(id), { nanoUsd: 1n, tokens: 1 }), isSimulated };
      await ledger.reserve(call);
      return call.id;
    };
    await ledger.settle(await reserve(true), { ...answered(0n, 0), usage: noUsage });
    await reserve(false);
    const total = async () => (await new PgCosts(database.pool).ofProject(id, page)).total;
    expect(await total()).toMatchObject({ unknownCalls: 0, costUsd: '0.00' });
    await ledger.settle(await reserve(false), { ...answered(5n, 1), costNanoUsd: null });
    expect(await total()).toMatchObject({ unknownCalls: 1, costUsd: null });
  });

  it('are summed up alike where nobody asks for the calls', async () => {
    const { root, child } = await spent();
    const costs = new PgCosts(database.pool);
    for (const id of [root, child, await database.sample()]) {
      const { total, byAgent, byModel } = await costs.ofProject(id, page);
      expect(await costs.sumsOf(id)).toEqual({ total, byAgent, byModel });
    }
  });

  it('come in pages', async () => {
    const { root } = await spent();
    const costs = new PgCosts(database.pool);
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const next = await costs.ofProject(root, { limit: 2, ...(cursor !== undefined && { cursor }) });
      ids.push(...next.data.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(ids).toHaveLength(5);
  });

  it('of a project that called no model are nothing', async () => {
    const costs = ProjectCosts.parse(await new PgCosts(database.pool).ofProject(await database.sample(), page));
    expect(costs).toMatchObject({
      total: { calls: 0, costUsd: '0.00', countedUsd: '0.00' },
      byAgent: [],
      data: [],
      nextCursor: null,
    });
  });
});

describe('the costs of all projects', () => {
  it.each(['project', 'agent', 'model', 'state', 'day'] as const)(
    'are summed up by %s, the dearest first',
    async (groupBy) => {
      await spent();
      const costs = new PgCosts(database.pool);
      const all = CostGroupList.parse(await costs.groups({ groupBy, limit: 200 }));
      const { rows } = await database.pool.query<{ calls: number }>('SELECT count(*)::int AS calls FROM model_call');
      expect(all.data.reduce((sum, { calls }) => sum + calls, 0)).toBe(rows[0]?.calls);
      const first = await costs.groups({ groupBy, limit: 1 });
      expect(first.data[0]?.key).toBe(all.data[0]?.key);
      if (first.nextCursor !== null) {
        const second = await costs.groups({ groupBy, limit: 1, cursor: first.nextCursor });
        expect(second.data[0]?.key).toBe(all.data[1]?.key);
      }
    },
  );
});
