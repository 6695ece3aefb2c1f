import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { useDatabase } from '../projects/database.fixture.js';
import { PgPace } from './pg-pace.js';

const database = useDatabase('pace');

describe('the pace of a key in a project', () => {
  it('is as many calls at once as it has a minute, whichever process they come to, then one as time goes by', async () => {
    const [project, key] = [newId(), 'key'];
    const processes = [new PgPace(database.pool, 30), new PgPace(database.pool, 30)];
    const take = () => processes.flatMap((one) => Array.from({ length: 20 }, () => one.take(project, key)));
    const refused = (await Promise.all(take())).filter((error) => error !== null);
    expect(refused).toHaveLength(10);
    const next = await processes[0]?.take(project, key);
    expect(next).toMatchObject({ code: 'STEERED_TOO_FAST', details: { perMinute: 30, retryAfterS: 2 } });
    await database.pool.query(`UPDATE steering_pace SET free_at = free_at - interval '4 seconds'`);
    const later = (await Promise.all(take())).filter((error) => error === null);
    expect(later).toHaveLength(2);
    const { rows } = await database.pool.query('SELECT 1 FROM steering_pace WHERE project_id = $1', [project]);
    expect(rows).toHaveLength(1);
  });

  it('is that of no other key and of no other project, and with 0 there is none', async () => {
    const [pace, one, other] = [new PgPace(database.pool, 1), newId(), newId()];
    const taken = [await pace.take(one, 'a'), await pace.take(one, 'b'), await pace.take(other, 'a')];
    expect(taken).toEqual([null, null, null]);
    expect(await pace.take(one, 'a')).toMatchObject({ details: { retryAfterS: 60 } });
    expect(await new PgPace(database.pool, 0).take(one, 'a')).toBeNull();
  });
});
