import { expect, it } from 'vitest';
import { useDatabase } from './database.fixture.js';
import { PgHistory } from './pg-history.js';

const database = useDatabase('history');

it('has the events of the types that are asked for, in their order', async () => {
  const told = ['a', 'b', 'a', 'c'].map((type, nth) => ({ type, data: { nth, word: '"ünd"\n' } }));
  const id = await database.sample(told);
  await database.sample(told);
  const events = await new PgHistory(database.pool).told(id, ['a', 'c', 'z']);
  expect(events).toEqual(
    [0, 2, 3].map((nth) => ({ type: told[nth]?.type, data: told[nth]?.data, at: expect.any(Date) as Date })),
  );
  expect(await new PgHistory(database.pool).spent(id)).toMatchObject({ total: { calls: 0 }, byAgent: [], byModel: [] });
});
