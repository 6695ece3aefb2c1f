import { beforeAll, describe, expect, it } from 'vitest';
import { RESTORED_BY } from '../checkpoints/pg-restore.js';
import { LIVE } from '../control/pg-control-files.js';
import { CAP_HISTORY, capChanges } from '../ledger/cap-history.js';
import { DELIVERED } from '../notes/pg-notes.js';
import { useDatabase } from '../projects/database.fixture.js';
import { LIVE_IN } from '../projects/unsettled.js';
import { WAS_SENT, wasSent } from '../projects/send-signal.js';
import { DECIDED, happenedSince, NEWEST, toldDecision } from '../projects/gate-history.js';
import { LONGEST_WAITS, OPENED_OF } from './opened-at.js';
import { BECAME, GIVEN } from './pg-commands.js';

const database = useDatabase('long-history');
const ROWS = 10_000;
let id: string;

/** A project that was asked something long ago and talked at since: nothing of it is near the end of its history. */
beforeAll(async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => database.sample()));
  id = await database.sample();
  for (const one of [id, ...others]) {
    await database.pool.query(
      `INSERT INTO event_group (project_id, seq, version, events)
       SELECT $1, n, 1, CASE n WHEN 10 THEN '[["gate.opened",{"gate":"go"}]]' WHEN 20 THEN '[["note.delivered",{"note":"n"}]]'
         WHEN 30 THEN '[["budget.changed",{"from":{"usd":"1.00"},"id":"x","to":{"usd":"2.00"}}]]'
         WHEN 40 THEN '[["command.received",{"id":"c"}]]' WHEN 50 THEN '[["signal.applied",{"id":"c"}]]'
         WHEN 60 THEN '[["checkpoint.restored",{"id":"r"}]]' WHEN 70 THEN '[["gate.decided",{"gate":"go","id":"d"}]]'
         ELSE '[["cost.told",{"id":"' || n || '","why":"[\\"gate.opened\\",{"}]]' END
       FROM generate_series(2, $2::int) n`,
      [one, ROWS],
    );
    await database.pool.query(
      `INSERT INTO signal (project_id, seq, by, body, operation, consumed_version)
       SELECT $1, n, 'human', '{"id":"' || n || '"}', n::text, 1 FROM generate_series(1, $2::int) n`,
      [one, ROWS],
    );
  }
  // Of all that was ever asked for in a repository, a few are at work.
  await database.pool.query(
    `INSERT INTO project SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'p' || n,
       'repo_path', '/repo', 'number', NULL, 'status', CASE WHEN n <= 3 THEN 'running' ELSE 'completed' END))).*
     FROM project p, generate_series(1, $2::int) n WHERE p.id = $1`,
    [id, ROWS],
  );
  await database.pool.query(`UPDATE project SET status = 'waiting' WHERE id = $1`, [id]);
  await database.pool.query('ANALYZE event_group; ANALYZE signal; ANALYZE project');
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** What a query really looked at in a table, and by which index. */
async function looks(sql: string, values: unknown[], table: string): Promise<{ index: unknown; rows: number }[]> {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    values,
  );
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  return rows
    .flatMap((row) => all(row['QUERY PLAN'][0].Plan))
    .filter((plan) => plan['Relation Name'] === table)
    .map((plan) => ({
      index: plan['Index Name'] ?? plan.Plans?.[0]?.['Index Name'],
      rows: plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0),
    }));
}

/** The rows of one history that are ever looked for. */
const NOTABLE_ROWS = 7;
const few = async (sql: string, values: unknown[]): Promise<void> => {
  const found = await looks(sql, values, 'event_group');
  expect(found.map(({ index }) => index)).toEqual(['event_group_notable_idx']);
  for (const { rows } of found) expect(rows).toBeLessThanOrEqual(NOTABLE_ROWS);
};

describe('in a history of ten thousand events', () => {
  it('since when a project waits is found at once', async () => {
    await few(OPENED_OF, [[id]]);
    await few(LONGEST_WAITS, [new Date(0), id, 10]);
  });

  it('whether a signal was sent is found at once', async () => {
    expect(await looks(WAS_SENT, [id, '77'], 'signal')).toEqual([
      { index: 'signal_project_id_operation_idx', rows: 1 },
    ]);
    expect([await wasSent(database.pool, id, '77'), await wasSent(database.pool, id, 'x')]).toEqual([true, false]);
  });

  it('what its caps were is found at once', async () => {
    await few(CAP_HISTORY, [id]);
    expect(await capChanges(database.pool, id)).toEqual([
      { seq: 30, version: 1, operation: 'x', isOfState: false, from: 1_000_000_000n, to: 2_000_000_000n },
    ]);
  });

  it('what was decided at a gate is found at once', async () => {
    await few(DECIDED, [id]);
    expect(await toldDecision(database.pool, id, { gate: 'go', id: 'd' })).not.toBeNull();
  });

  it('whether a checkpoint was restored for a request is found at once', async () => {
    await few(RESTORED_BY, [id, '"r"']);
  });

  it('what has happened of late is read from its end, however long a checkpoint has been the newest', async () => {
    expect(await looks(NEWEST, [id, 22], 'event_group')).toEqual([{ index: 'event_group_pkey', rows: 22 }]);
    const { events, isMore } = await happenedSince(database.pool, id, 1, 20);
    expect([events.length, events[0]?.seq, isMore]).toEqual([20, ROWS - 19, true]);
    expect(await happenedSince(database.pool, id, 2, 20)).toEqual({ events: [], isMore: false });
  });

  it('the commands, and what became of them, are found at once', async () => {
    await few(GIVEN, [id, null, 51]);
    await few(BECAME, [id, 40, ['c']]);
  });

  it('whom notes have reached is found at once', async () => {
    await few(DELIVERED, [id, new Date(0), 5_000]);
  });
});

describe('in a repository where ten thousand projects have ended', () => {
  it('those at work are found at once', async () => {
    const few = { index: 'project_live_idx', rows: 3 };
    expect(await looks(LIVE, [1_000], 'project')).toEqual([few]);
    expect(await looks(LIVE_IN, ['/repo'], 'project')).toEqual([few]);
  });
});
