import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { changeCaps, PgProjectBudgets } from '#persistence';
import { EngineBudgetDesk } from './budget-desk.js';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';

let world: DeskWorld;
let budgets: EngineBudgetDesk;
let approved: PgProjectBudgets;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  budgets = new EngineBudgetDesk(world.parts);
  approved = new PgProjectBudgets(world.pool, { nanoUsd: 1n, tokens: 1 });
});
afterAll(() => world.close());

const because = 'the plan was approved';
const approve = (projectId: string, usd: string, named: string = newId()): Promise<string | null> =>
  approved.approve({ projectId, usd, operation: named, because });
const capOf = async (id: string): Promise<string | null | undefined> =>
  (await world.stores.reads.get(id)).budget?.usd.cap;
/** As the gate's desk tells it. */
const decided = (id: string, gate: string): Promise<unknown> =>
  world.pool.query(
    `WITH target AS (UPDATE project SET event_seq = event_seq + 1 WHERE id = $1 RETURNING id, event_seq, version)
     INSERT INTO event_group (project_id, seq, version, events) SELECT id, event_seq, version, $2 FROM target`,
    [id, JSON.stringify([['gate.decided', { gate, decision: 'approve', id: newId() }]])],
  );
/** The project takes a step: its next checkpoint. */
const step = (id: string): Promise<void> =>
  world.drive(id, ({ snapshot }) => ({ ...snapshot, visit: snapshot.visit + 1 }));

describe('the cap that a plan was approved with', () => {
  it('holds once for each operation, whether it is more or less; the cap in tokens stays', async () => {
    const { id } = await world.start({ budget: { usd: '30', tokens: 7 } });
    expect(await approve(id, '2.50')).toBe('2.50');
    expect(await approve(id, '45.00')).toBe('45.00');
    expect((await world.stores.reads.get(id)).budget).toMatchObject({ usd: { cap: '45.00' }, tokens: { cap: 7 } });
    expect(await world.events(id, 'budget.changed')).toMatchObject([
      { from: { usd: '30.00' }, to: { usd: '2.50' }, raised: false, by: 'human', key: null, because },
      { from: { usd: '2.50' }, to: { usd: '45.00' }, raised: true, by: 'human', key: null, because },
    ]);
    expect(await world.signals(id)).toEqual([]);
  });

  it('does not undo, repeated after a crash, what a person has changed since', async () => {
    const { id } = await world.start();
    await approve(id, '2.00', 'p/1/approve-cap');
    await budgets.change(id, { usd: '9' }, operation());
    expect(await approve(id, '2.00', 'p/1/approve-cap')).toBe('9.00');
    expect(await world.events(id, 'budget.changed')).toHaveLength(2);
  });

  it('does not undo what a person has changed between the approval and its being taken up', async () => {
    const { id } = await world.start();
    await budgets.change(id, { usd: '8' }, operation());
    await decided(id, 'plan');
    await budgets.change(id, { tokens: 600_000 }, operation());
    expect(await approve(id, '2.00')).toBe('2.00');
    await decided(id, 'plan');
    await budgets.change(id, { usd: '9' }, operation());
    expect(await approve(id, '3.00')).toBe('9.00');
    await decided(id, 'plan');
    expect(await approve(id, '4.00')).toBe('4.00');
  });

  it('is told with what is used and reserved', async () => {
    const { id } = await world.start();
    expect(await approved.used(id)).toBe('0.00');
    const sql = 'UPDATE budget SET used_nano = 420000000, reserved_nano = 5000000 WHERE root_id = $1';
    await world.pool.query(sql, [id]);
    expect([await approved.used(id), await approved.used(newId())]).toEqual(['0.425', '0.00']);
  });

  it('reports the larger of the used shares of money and tokens', async () => {
    const { id } = await world.start({ budget: { usd: '2', tokens: 1_000 } });
    expect(await approved.usedShare(id)).toBe(0);
    const use = (nano: number, tokens: number) =>
      world.pool.query('UPDATE budget SET used_nano = $2, used_tokens = $3 WHERE root_id = $1', [id, nano, tokens]);
    await use(500_000_000, 100);
    expect(await approved.usedShare(id)).toBe(0.25);
    await use(500_000_000, 900);
    expect(await approved.usedShare(id)).toBe(0.9);
    await world.pool.query('UPDATE budget SET cap_nano = NULL, cap_tokens = NULL WHERE root_id = $1', [id]);
    expect([await approved.usedShare(id), await approved.usedShare(newId())]).toEqual([0, 0]);
  });

  it('is refused to a project that has ended, or is not there', async () => {
    const { id } = await world.start();
    await world.set(id, `status = 'completed'`);
    await expect(approve(id, '2.00')).rejects.toMatchObject({ code: 'PROJECT_ENDED' });
    await expect(approve(newId(), '2.00')).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  });

  it('counts as one operation, however often it is tried at once', async () => {
    const { id } = await world.start();
    await Promise.all(Array.from({ length: 4 }, () => approve(id, '2.00', 'the same')));
    expect(await world.events(id, 'budget.changed')).toHaveLength(1);
  });
});

describe('a project that is brought back to before an approval', () => {
  it('has no later, higher cap, and its history says so; approving again sets what is approved then', async () => {
    const { id } = await world.start();
    await approve(id, '2.00');
    await step(id);
    await approve(id, '20.00');
    await world.desk.restore(id, 2, operation());
    expect(await capOf(id)).toBe('2.00');
    expect((await world.events(id, 'budget.changed')).at(-1)).toMatchObject({
      from: { usd: '20.00' }, to: { usd: '2.00' }, raised: false, by: 'engine', because: expect.stringContaining('checkpoint 2') as unknown,
    }); // prettier-ignore
    await approve(id, '5.00');
    expect(await capOf(id)).toBe('5.00');
  });

  it('keeps what a person has asked for, and is never raised by it', async () => {
    const { id } = await world.start();
    await approve(id, '20.00');
    await budgets.change(id, { usd: '15' }, operation());
    await world.desk.restore(id, 1, operation());
    expect(await capOf(id)).toBe('15.00');
    const other = await world.start();
    await approve(other.id, '2.00');
    await world.desk.restore(other.id, 1, operation());
    expect(await capOf(other.id)).toBe('2.00');
  });

  it('is forked with the cap of then, and approving there sets its own', async () => {
    const { id } = await world.start({ budget: { usd: '3' } });
    await step(id);
    await approve(id, '20.00');
    const fork = await world.desk.fork(id, 1, operation());
    expect(fork.budget?.usd.cap).toBe('3.00');
    await approve(fork.id, '20.00');
    expect([await capOf(fork.id), await capOf(id)]).toEqual(['20.00', '20.00']);
    expect((await world.desk.fork(fork.id, 1, operation())).budget?.usd.cap).toBe('3.00');
  });

  it('waits for whoever changes its cap, and they for it', async () => {
    const { id } = await world.start();
    await approve(id, '20.00');
    const change = { projectId: id, by: 'human', keyId: null, listeners: [], defaults: { nanoUsd: 1n, tokens: 1 } } as const; // prettier-ignore
    const changes = Array.from({ length: 5 }, (_, nth) => changeCaps(world.pool, { ...change, operation: newId(), nanoUsd: BigInt(nth + 1) })); // prettier-ignore
    await expect(Promise.all([...changes, world.desk.restore(id, 1, operation())])).resolves.toHaveLength(6);
  });
});
