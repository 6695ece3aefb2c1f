import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '#contracts';
import { eventually, startTestPostgres, type TestPostgres } from '#testing';
import { type Field, openField } from '../harness/field.js';

const DRILL = { parameters: { rounds: 6, width: 2, workMs: 100, coolMs: 200 }, gates: { approval: false } };

let postgres: TestPostgres;
let field: Field;

beforeAll(async () => {
  postgres = await startTestPostgres();
  field = await openField({ serverUrl: postgres.url });
});
afterAll(async () => {
  await field.close();
  await postgres.stop();
});

async function onTheServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(sql);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** So often in a row nobody else is seen: a connection that is just being made is not in the server's list yet. */
const QUIET_LOOKS = 5;

/** Cuts everybody off and sits on all connections that the server has. */
async function takeEveryConnection(): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  for (let quiet = 0; ;) {
    const client = new pg.Client({ connectionString: postgres.url, application_name: 'hog' });
    client.on('error', () => undefined);
    const error: unknown = await client.connect().then(
      () => taken.push(client) && null,
      (reason: unknown) => reason,
    );
    if (error === null) {
      quiet = 0;
      continue;
    }
    const { rowCount } = (await taken[0]?.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name <> 'hog' AND backend_type = 'client backend'`,
    )) ?? { rowCount: 0 };
    quiet = rowCount === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS) return async () => void (await Promise.all(taken.map((one) => one.end())));
    await delay(20);
  }
}

describe('Postgres in trouble', () => {
  it('is restarted three times under load: nobody dies, and every project ends', async () => {
    const { api, child } = await field.orchestrator();
    const worker = await field.process({ role: 'worker' });
    const projects = await Promise.all(Array.from({ length: 8 }, () => api.startDrill(DRILL)));
    for (const how of ['fast', 'immediate', 'immediate'] as const) {
      await delay(1_500);
      await postgres.restart(how);
    }
    for (const { id } of projects) {
      await eventually('it ends', () => api.untilStatus(id, 'completed', 60_000).catch(() => null), {
        deadlineMs: 60_000,
      });
    }
    expect([child.exitCode, worker.child.exitCode]).toEqual([null, null]);
    expect(await field.broken()).toEqual([]);
  });

  it('takes no writes for a while: commands are told to come again, and then everything goes on', async () => {
    const { api } = await field.orchestrator();
    const { id } = await api.startDrill({ ...DRILL, parameters: { ...DRILL.parameters, workMs: 400 } });
    await onTheServer('ALTER SYSTEM SET default_transaction_read_only = on');
    const refused = await eventually('a command is refused', async () => {
      const answer = await api.call<Problem>('POST', `/v1/projects/${id}/commands`, { command: 'STATUS' });
      return answer.status === 202 ? null : answer;
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.body).toMatchObject({ code: 'STORE_AWAY' });
    await delay(2_000);
    await onTheServer('ALTER SYSTEM RESET default_transaction_read_only');
    await api.untilStatus(id, 'completed');
    expect(await field.broken()).toEqual([]);
  });

  it('has no connection left: callers are told to come again, and then everything goes on', async () => {
    const { api } = await field.orchestrator();
    const { id } = await api.startDrill(DRILL);
    const letGo = await takeEveryConnection();
    const refused = await api.call<Problem>('POST', `/v1/projects/${id}/commands`, { command: 'STATUS' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await delay(1_000);
    await letGo();
    await api.untilStatus(id, 'completed');
    expect(await field.broken()).toEqual([]);
  });
});
