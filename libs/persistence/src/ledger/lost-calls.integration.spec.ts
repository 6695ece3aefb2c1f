import { describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { useDatabase } from '../projects/database.fixture.js';
import { aboutOf, answered, budgetOf, callOf, callsOf, hold, holdWithBudget, ledgerOn } from './ledger.fixture.js';

const database = useDatabase('lost_calls');

async function project(caps?: { nanoUsd: bigint | null; tokens: number | null }): Promise<string> {
  const id = await database.sample();
  await holdWithBudget(database.pool, id, caps);
  return id;
}

describe('a call whose end nobody knows', () => {
  it('is lost, and counts in full, as soon as its effect runs again', async () => {
    const id = await project({ nanoUsd: 1_000n, tokens: null });
    const dead = ledgerOn(database.pool);
    await dead.reserve(callOf(aboutOf(id), { nanoUsd: 300n, tokens: 3 }));
    await dead.reserve(callOf(aboutOf(id, { effect: { key: 'other', run: 1 } }), { nanoUsd: 50n, tokens: 1 }));
    await hold(database.pool, id, 2, 'the-next');
    const lease = { projectId: id, workerId: 'the-next', epoch: 2 };
    const again = aboutOf(id, { lease, effect: { key: 'step', run: 2 } });
    expect(await ledgerOn(database.pool).reserve(callOf(again, { nanoUsd: 300n, tokens: 3 }))).toMatchObject({
      kind: 'reserved',
    });
    const calls = await callsOf(database.pool, id);
    expect(calls.map(({ status }) => status)).toEqual(['lost', 'open', 'open']);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 300n, usedTokens: 3n, reservedNano: 350n });
  });

  it('trips the breaker when, counted in full, it leaves no room for the same call again', async () => {
    const id = await project({ nanoUsd: 500n, tokens: null });
    const ledger = ledgerOn(database.pool);
    await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 300n, tokens: 1 }));
    const again = callOf(aboutOf(id, { effect: { key: 'step', run: 2 } }), { nanoUsd: 300n, tokens: 1 });
    expect(await ledger.reserve(again)).toMatchObject({ kind: 'full', fitsAlone: false });
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 300n, reservedNano: 0n });
  });

  it('is found by the sweep once its worker is dead or has lost the project, and not before', async () => {
    const [id, kept] = [await project(), await project()];
    await ledgerOn(database.pool).sweepLost();
    const ledger = ledgerOn(database.pool);
    for (const one of [id, kept]) await ledger.reserve(callOf(aboutOf(one), { nanoUsd: 7n, tokens: 1 }));
    await hold(database.pool, id, 2, 'dead');
    const dead = { projectId: id, workerId: 'dead', epoch: 2 };
    const late = callOf(aboutOf(id, { lease: dead }), { nanoUsd: 5n, tokens: 1 });
    await ledger.reserve(late);
    expect(await ledger.sweepLost()).toBe(1);
    await database.pool.query(`UPDATE worker SET alive_until = now() - interval '1 second' WHERE id = 'dead'`);
    expect(await ledger.sweepLost()).toBe(1);
    expect(await ledger.sweepLost()).toBe(0);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 12n, reservedNano: 0n });
    expect((await callsOf(database.pool, kept)).map(({ status }) => status)).toEqual(['open']);
  });
});

describe('a settlement that comes after the call was taken for lost', () => {
  const unknown = { ...answered(5n, 5), status: 'cut', usage: null, costNanoUsd: null } as const;
  const nothing = { ...answered(0n, 0), status: 'failed', usage: null, costNanoUsd: 0n } as const;

  async function lost() {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 5n, tokens: 5 });
    await ledger.reserve(call);
    await ledger.reserve(callOf(aboutOf(id, { effect: { key: 'other', run: 1 } }), { nanoUsd: 3n, tokens: 3 }));
    await hold(database.pool, id, 2, 'the-next');
    const lease = { projectId: id, workerId: 'the-next', epoch: 2 };
    const again = callOf(aboutOf(id, { lease, effect: { key: 'step', run: 2 } }), { nanoUsd: 1n, tokens: 1 });
    await ledgerOn(database.pool).reserve(again);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 5n, usedTokens: 5n, reservedNano: 4n });
    return { id, ledger, call, lease };
  }

  it('and knows what it took corrects what was counted, once', async () => {
    const { id, ledger, call } = await lost();
    await Promise.all([1, 2].map(() => ledger.settle(call.id, answered(2n, 1))));
    await ledgerOn(database.pool).settle(call.id, answered(9n, 9));
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 2n, usedTokens: 1n, reservedNano: 4n });
    expect(await callsOf(database.pool, id)).toContainEqual({ id: call.id, status: 'done', counted: 2n });
  });

  it('is no late one where it leaves together with the next run of its effect', async () => {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 5n, tokens: 5 });
    await ledger.reserve(call);
    const again = callOf(aboutOf(id, { effect: { key: 'step', run: 2 } }), { nanoUsd: 1n, tokens: 1 });
    await Promise.all([ledger.settle(call.id, answered(2n, 1)), ledger.reserve(again)]);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 2n, usedTokens: 1n, reservedNano: 1n });
  });

  it('makes room for a reservation that leaves with it', async () => {
    const { id, ledger, call, lease } = await lost();
    await database.pool.query('UPDATE budget SET cap_nano = 5 WHERE root_id = $1', [id]);
    const more = callOf(aboutOf(id, { lease }), { nanoUsd: 1n, tokens: 1 });
    const [, reservation] = await Promise.all([ledger.settle(call.id, nothing), ledger.reserve(more)]);
    expect(reservation).toMatchObject({ kind: 'reserved' });
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 0n, usedTokens: 0n, reservedNano: 5n });
  });

  it('and does not know it changes nothing', async () => {
    const { id, ledger, call } = await lost();
    await ledger.settle(call.id, unknown);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 5n, usedTokens: 5n, reservedNano: 4n });
    expect(await callsOf(database.pool, id)).toContainEqual({ id: call.id, status: 'lost', counted: 5n });
  });

  it('believes what has become of the call while it waited for its budget', async () => {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 5n, tokens: 5 });
    await ledger.reserve(call);
    const sweep = await database.pool.connect();
    try {
      await sweep.query('BEGIN');
      await sweep.query('SELECT 1 FROM budget WHERE root_id = $1 FOR UPDATE', [id]);
      const settling = ledger.settle(call.id, answered(2n, 1));
      const { rows } = await sweep.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const behindIt = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
      const isWaiting = async () => (await database.pool.query(behindIt, [rows[0]?.pid])).rowCount === 1;
      await eventually('it waits', isWaiting);
      await sweep.query(
        `UPDATE model_call SET status = 'lost', counted_nano = 5, counted_tokens = 5, estimate_error_nano = 0 WHERE id = $1`,
        [call.id],
      );
      const release = `UPDATE budget SET reserved_nano = 0, reserved_tokens = 0, used_nano = 5, used_tokens = 5 WHERE root_id = $1`;
      await sweep.query(release, [id]);
      await sweep.query('COMMIT');
      await settling;
    } finally {
      sweep.release();
    }
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 2n, usedTokens: 1n, reservedNano: 0n });
  });

  it('counts the same whether it or the sweep is first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await project();
      const [ledger, sweeper] = [ledgerOn(database.pool), ledgerOn(database.pool)];
      const call = callOf(aboutOf(id), { nanoUsd: 5n, tokens: 5 });
      await ledger.reserve(call);
      await hold(database.pool, id, 2, 'the-next');
      await Promise.all([sweeper.sweepLost(), ledger.settle(call.id, answered(2n, 1)), sweeper.sweepLost()]);
      expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 2n, usedTokens: 1n, reservedNano: 0n });
      expect(await callsOf(database.pool, id)).toEqual([{ id: call.id, status: 'done', counted: 2n }]);
    }
  });
});
