import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { useDatabase } from '../projects/database.fixture.js';
import { insertBudget } from './budget-rows.js';
import {
  aboutOf, answered, budgetOf, callOf, callsOf, hold, holdWithBudget, ledgerOn,
} from './ledger.fixture.js'; // prettier-ignore

const database = useDatabase('ledger');
const never = new AbortController().signal;

async function project(caps?: { nanoUsd: bigint | null; tokens: number | null }): Promise<string> {
  const id = await database.sample();
  await holdWithBudget(database.pool, id, caps);
  return id;
}

describe('a reservation', () => {
  it('is taken from the cap, and replaced by the cost when it is settled', async () => {
    const id = await project({ nanoUsd: 1_000n, tokens: 100 });
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 600n, tokens: 60 });
    expect(await ledger.reserve(call)).toEqual({ kind: 'reserved', callId: call.id });
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 600n, reservedTokens: 60n, usedNano: 0n });
    await ledger.settle(call.id, answered(250n, 25));
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 0n, usedNano: 250n, usedTokens: 25n });
    expect(await callsOf(database.pool, id)).toEqual([{ id: call.id, status: 'done', counted: 250n }]);
  });

  it('that calls under way leave no room for could fit alone; one that is larger than the rest never will', async () => {
    const id = await project({ nanoUsd: 1_000n, tokens: null });
    const ledger = ledgerOn(database.pool);
    await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 600n, tokens: 1 }));
    const [waits, never] = await Promise.all([
      ledger.reserve(callOf(aboutOf(id), { nanoUsd: 900n, tokens: 1 })),
      ledger.reserve(callOf(aboutOf(id), { nanoUsd: 1_001n, tokens: 1 })),
    ]);
    expect(waits).toMatchObject({ kind: 'full', fitsAlone: true });
    expect(never).toEqual({
      kind: 'full',
      fitsAlone: false,
      breaker: { name: 'usd', cap: '0.000001', used: '0.00', reserved: '0.0000006', wanted: '0.000001001' },
    });
    expect(await callsOf(database.pool, id)).toHaveLength(1);
  });

  it('keeps the cap of tokens too', async () => {
    const id = await project({ nanoUsd: null, tokens: 100 });
    const ledger = ledgerOn(database.pool);
    const refused = await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 1n, tokens: 101 }));
    expect(refused).toMatchObject({ kind: 'full', fitsAlone: false, breaker: { name: 'tokens', cap: '100' } });
  });

  it('of calls that ask together goes to those that fit together, and a large one does not stand in the way', async () => {
    const id = await project({ nanoUsd: 100n, tokens: null });
    const ledger = ledgerOn(database.pool);
    // Whoever is known to draw on this budget asks at once.
    await ledger.changed(id, 0, never);
    const wanted = [60n, 70n, 200n, 30n, 10n, 5n];
    const answers = await Promise.all(
      wanted.map((nanoUsd) => ledger.reserve(callOf(aboutOf(id), { nanoUsd, tokens: 1 }))),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['reserved', 'full', 'full', 'reserved', 'reserved', 'full']);
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 100n });
  });

  it('is refused to a worker that does not hold the project, of whatever epoch', async () => {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const asks = [
      { projectId: id, workerId: 'other', epoch: 1 },
      { projectId: id, workerId: 'worker-of-the-ledger', epoch: 2 },
      { projectId: newId(), workerId: 'worker-of-the-ledger', epoch: 1 },
    ].map((lease) => ledger.reserve(callOf(aboutOf(id, { lease }), { nanoUsd: 1n, tokens: 1 })));
    expect(await Promise.all(asks)).toEqual([{ kind: 'stale' }, { kind: 'stale' }, { kind: 'stale' }]);
    expect(await callsOf(database.pool, id)).toEqual([]);
  });

  it('of a child is taken from the budget of the project at the root', async () => {
    const [root, child, grandchild] = [await project({ nanoUsd: 100n, tokens: null }), await database.sample(), await database.sample()]; // prettier-ignore
    const isChildOf = 'UPDATE project SET parent_id = $2, parent_key = id WHERE id = $1';
    await database.pool.query(isChildOf, [child, root]);
    await database.pool.query(isChildOf, [grandchild, child]);
    await hold(database.pool, grandchild, 1);
    const ledger = ledgerOn(database.pool);
    await ledger.reserve(callOf(aboutOf(root), { nanoUsd: 40n, tokens: 1 }));
    expect(await ledger.reserve(callOf(aboutOf(grandchild), { nanoUsd: 61n, tokens: 1 }))).toMatchObject({
      kind: 'full',
    });
    await ledger.reserve(callOf(aboutOf(grandchild), { nanoUsd: 60n, tokens: 1 }));
    expect(await budgetOf(database.pool, root)).toMatchObject({ reservedNano: 100n });
  });

  it('goes to no more calls than fit, however many processes ask at once', async () => {
    const id = await project({ nanoUsd: 105n, tokens: null });
    const ledgers = [1, 2, 3].map(() => ledgerOn(database.pool));
    const asks = Array.from({ length: 96 }, async (_, nth) => {
      const ledger = ledgers[nth % ledgers.length] ?? ledgerOn(database.pool);
      return (await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 }))).kind;
    });
    expect((await Promise.all(asks)).filter((kind) => kind === 'reserved')).toHaveLength(10);
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 100n });
  });

  it('whose answer was lost is found again by its id, though it fills the budget by now', async () => {
    const id = await project({ nanoUsd: 10n, tokens: null });
    let isDeaf = true;
    const query = async (...asked: [never, never]): Promise<unknown> => {
      const answer: unknown = await database.pool.query(...asked);
      if (!isDeaf || (asked[0] as { name?: string }).name?.startsWith('ledger-reserve') !== true) return answer;
      isDeaf = false;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const ledger = ledgerOn({ query } as unknown as typeof database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 });
    await expect(ledger.reserve(call)).rejects.toMatchObject({ code: 'ANSWER_LOST' });
    expect(await ledger.reserve(call)).toEqual({ kind: 'reserved', callId: call.id });
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 10n });
    await ledger.settle(call.id, answered(3n, 1));
    expect(await budgetOf(database.pool, id)).toMatchObject({ reservedNano: 0n, usedNano: 3n });
  });

  it('of a project without a budget makes one with the caps of the configuration', async () => {
    const id = await database.sample();
    await hold(database.pool, id, 1);
    await Promise.all(
      [1, 2].map(() => ledgerOn(database.pool).reserve(callOf(aboutOf(id), { nanoUsd: 5n, tokens: 1 }))),
    );
    expect(await budgetOf(database.pool, id)).toMatchObject({ capNano: null, reservedNano: 10n });
  });
});

describe('settling', () => {
  it('counts once, however often and by whomever it is asked for', async () => {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 });
    await ledger.reserve(call);
    await Promise.all([1, 2, 3].map(() => ledger.settle(call.id, answered(4n, 1))));
    await ledgerOn(database.pool).settle(call.id, answered(9n, 1));
    await ledger.settle(newId(), answered(9n, 1));
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 4n, reservedNano: 0n });
  });

  it('records what a call took beyond its reservation', async () => {
    const id = await project({ nanoUsd: 10n, tokens: null });
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 });
    await ledger.reserve(call);
    await ledger.settle(call.id, answered(13n, 1));
    const { rows } = await database.pool.query('SELECT estimate_error_nano FROM model_call WHERE id = $1', [call.id]);
    expect(rows).toEqual([{ estimate_error_nano: '3' }]);
    expect(await budgetOf(database.pool, id)).toMatchObject({ usedNano: 13n });
  });

  it('keeps texts that come from outside storable', async () => {
    const id = await project();
    const ledger = ledgerOn(database.pool);
    const call = callOf(aboutOf(id, { agent: 'a\u0000b\ud800', prompt: '\ud800@1\u0000' }), { nanoUsd: 1n, tokens: 1 });
    await ledger.reserve(call);
    await ledger.settle(call.id, { ...answered(1n, 1), answeredBy: `\u0000${'x'.repeat(10_000)}` });
    const { rows } = await database.pool.query<{ agent: string; prompt: string; answered_by: string }>(
      'SELECT agent, prompt, answered_by FROM model_call WHERE id = $1', [call.id]); // prettier-ignore
    expect(rows).toEqual([{ agent: 'ab\ufffd', prompt: '\ufffd@1', answered_by: 'x'.repeat(299) }]);
  });
});

describe('waiting for room', () => {
  const within = async (ms: number, what: Promise<void>): Promise<boolean> => {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, ms, false));
    return Promise.race([what.then(() => true), late]);
  };

  it('ends when a call is settled here or elsewhere, or the cap is raised', async () => {
    const id = await project({ nanoUsd: 10n, tokens: null });
    const [here, elsewhere] = [ledgerOn(database.pool), ledgerOn(database.pool)];
    const calls = [1, 2].map(() => callOf(aboutOf(id), { nanoUsd: 5n, tokens: 1 }));
    for (const call of calls) await here.reserve(call);
    const full = (): Promise<unknown> => here.reserve(callOf(aboutOf(id), { nanoUsd: 9n, tokens: 1 }));
    for (const change of [
      () => here.settle(calls[0]?.id ?? '', answered(0n, 0)),
      () => elsewhere.settle(calls[1]?.id ?? '', answered(5n, 1)),
      () => database.pool.query('UPDATE budget SET cap_nano = 13 WHERE root_id = $1', [id]),
    ]) {
      await full();
      const changed = here.changed(id, 60_000, never);
      expect(await within(30, changed)).toBe(false);
      await change();
      expect(await within(5_000, changed)).toBe(true);
    }
  });

  it('ends when its time is over or it is called off', async () => {
    const id = await project({ nanoUsd: 10n, tokens: null });
    const ledger = ledgerOn(database.pool);
    await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 }));
    await ledger.reserve(callOf(aboutOf(id), { nanoUsd: 10n, tokens: 1 }));
    expect(await within(5_000, ledger.changed(id, 20, never))).toBe(true);
    const leaving = new AbortController();
    const changed = ledger.changed(id, 60_000, leaving.signal);
    leaving.abort();
    expect(await within(5_000, changed)).toBe(true);
  });
});

describe('the budget of a new project', () => {
  it('stays as it is when it is made again', async () => {
    const id = await project({ nanoUsd: 5n, tokens: 5 });
    await insertBudget(database.pool, id, { nanoUsd: 9n, tokens: 9 });
    expect(await budgetOf(database.pool, id)).toMatchObject({ capNano: 5n });
  });
});
