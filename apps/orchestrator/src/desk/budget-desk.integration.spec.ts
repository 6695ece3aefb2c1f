import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../http/index.js';
import { EngineBudgetDesk } from './budget-desk.js';
import { type DeskWorld, obeying, openDeskWorld, operation } from './desk.fixture.js';

let world: DeskWorld;
let budgets: EngineBudgetDesk;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  budgets = new EngineBudgetDesk(world.parts);
});
afterAll(() => world.close());

const byService = (): Operation => ({ ...operation(), by: { keyId: 'k', principal: 'service' } });
const use = (id: string, nano: bigint) =>
  world.pool.query('UPDATE budget SET used_nano = $2, reserved_nano = 5000000 WHERE root_id = $1', [id, nano]);

describe('the budget of a project', () => {
  it('is that of its order, and of the configuration where the order does not say', async () => {
    expect((await world.start()).budget).toEqual({
      usd: { cap: '40.00', used: '0.00', reserved: '0.00' },
      tokens: { cap: 500_000, used: 0 },
    });
    const own = await world.start({ budget: { usd: '1.5' } });
    expect(own.budget).toMatchObject({ usd: { cap: '1.50' }, tokens: { cap: 500_000 } });
  });

  it('is above the default only where a person says so', async () => {
    for (const budget of [{ usd: '40.01' }, { tokens: 500_001 }]) {
      await expect(world.start({ budget }, byService())).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
      await expect(world.start({ budget })).resolves.toHaveProperty('id');
    }
    await expect(world.start({ budget: { usd: '40.00' } }, byService())).resolves.toHaveProperty('id');
  });

  it('is shown with what is used and reserved, also on its children', async () => {
    const [root, child] = [await world.start(), await world.start()];
    await use(root.id, 420_000_000n);
    await world.set(child.id, 'parent_id = $2, parent_key = $3', root.id, 'a');
    const usd = { cap: '40.00', used: '0.42', reserved: '0.005' };
    for (const { id } of [root, child]) expect((await world.stores.reads.get(id)).budget?.usd).toEqual(usd);
  });

  it('of a fork has the caps of its origin, of which nothing is used', async () => {
    const origin = await world.start({ budget: { usd: '2', tokens: 7 } });
    await budgets.change(origin.id, { usd: '3' }, operation());
    await use(origin.id, 1n);
    const fork = await world.desk.fork(origin.id, 1, operation());
    expect(fork.budget).toMatchObject({ usd: { cap: '3.00', used: '0.00', reserved: '0.00' }, tokens: { cap: 7 } });
  });
});

describe('a raised cap', () => {
  it('is told to a project that stands where its table leads on from it, which goes on', async () => {
    const { id } = await world.start();
    const raised = await budgets.change(id, { usd: '50', tokens: 600_000 }, operation());
    expect(raised.budget).toMatchObject({ usd: { cap: '50.00' }, tokens: { cap: 600_000 } });
    expect(await world.events(id, 'budget.changed')).toMatchObject([
      { from: { usd: '40.00', tokens: 500_000 }, to: { usd: '50.00', tokens: 600_000 }, raised: true, by: 'human' },
    ]);
    expect(await world.signals(id)).toMatchObject([{ kind: 'notice', event: 'budget:raised', visit: 1 }]);
    await world.drive(id, obeying());
    expect((await world.stores.reads.get(id)).state).toBe('WORKING');
    await budgets.change(id, { usd: '60' }, operation());
    expect(await world.signals(id)).toHaveLength(1);
  });

  it('is told again when a person says the same again: the project may have come to its stand only afterwards', async () => {
    const { id } = await world.start();
    await budgets.change(id, { usd: '40', tokens: 500_000 }, operation());
    expect(await world.events(id, 'budget.changed')).toMatchObject([{ raised: false, by: 'human' }]);
    expect(await world.signals(id)).toMatchObject([{ kind: 'notice', event: 'budget:raised', visit: 1 }]);
  });

  it('is told to the children that wait for it too', async () => {
    const [root, child] = [await world.start(), await world.start()];
    await world.set(child.id, 'parent_id = $2, parent_key = $3', root.id, 'a');
    await budgets.change(root.id, { tokens: 600_000 }, operation());
    expect(await world.signals(child.id)).toMatchObject([{ kind: 'notice', event: 'budget:raised' }]);
  });

  it('needs a person; lowering does not, not even below what is used, and wakes nobody', async () => {
    const { id } = await world.start();
    await use(id, 10_000_000_000n);
    await expect(budgets.change(id, { usd: '41' }, byService())).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
    await expect(budgets.change(id, { usd: '1', tokens: 500_001 }, byService())).rejects.toMatchObject({
      code: 'HUMAN_REQUIRED',
    });
    expect((await budgets.change(id, { usd: '1' }, byService())).budget?.usd).toMatchObject({
      cap: '1.00',
      used: '10.00',
    });
    expect(await world.events(id, 'budget.changed')).toMatchObject([{ raised: false, by: 'service' }]);
    expect(await world.signals(id)).toEqual([]);
  });

  it('is done once, however often the request comes', async () => {
    const { id } = await world.start();
    const once = operation();
    await Promise.all([1, 2, 3].map(() => budgets.change(id, { usd: '50' }, once)));
    expect(await world.events(id, 'budget.changed')).toHaveLength(1);
    expect(await world.signals(id)).toHaveLength(1);
  });

  it('is refused for a child, which has no budget of its own, and for a project that has ended', async () => {
    const [root, child, ended] = [await world.start(), await world.start(), await world.start()];
    await world.set(child.id, 'parent_id = $2, parent_key = $3', root.id, 'a');
    await world.set(ended.id, `status = 'completed', state = 'DONE'`);
    await expect(budgets.change(child.id, { usd: '50' }, operation())).rejects.toMatchObject({
      code: 'PROJECT_IS_CHILD',
    });
    await expect(budgets.change(ended.id, { usd: '50' }, operation())).rejects.toMatchObject({ code: 'PROJECT_ENDED' });
    await expect(budgets.change('no-such', { usd: '50' }, operation())).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    });
  });
});
