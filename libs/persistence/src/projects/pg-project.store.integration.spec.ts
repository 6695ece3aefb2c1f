import { type JsonObject, newId } from '#kernel';
import { verifyChain } from '#checkpoints';
import { describeStore, freshDatabase } from '#testing';
import { loadContents, loadLinks } from './load-project.js';
import { insertProject } from './new-project.js';
import { PgProjectStore } from './pg-project.store.js';
import { PgWorkerStore } from './pg-worker.store.js';
import { inTransaction, openPool } from './pool.js';
import { sendSignal } from './send-signal.js';

describeStore('the store on Postgres', async () => {
  const database = await freshDatabase();
  const pool = openPool({ url: database.url, max: 6, name: 'conformance', onError: () => undefined });
  await pool.query(`INSERT INTO webhook_endpoint (id, url, types, secret) VALUES ($1, 'https://x', '{}', '-')`, [
    newId(),
  ]);
  const identity = { host: 'here', pid: 1, pidStartedAt: '1' };
  return {
    store: new PgProjectStore(pool, null),
    workers: new PgWorkerStore(pool, identity),
    create: async ({ incarnation, ...seed }) => {
      const events = [{ type: 'project.created', data: {} }];
      const rest = {
        number: null,
        mode: 'sample',
        options: {},
        labels: {},
        parentIncarnation: incarnation ?? null,
        events,
      };
      await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest }, null));
    },
    signal: async (to, by, body) => void (await sendSignal(pool, to, by, body)),
    eventTypes: async (id) => {
      const sql = 'SELECT type FROM event WHERE project_id = $1 ORDER BY seq';
      return (await pool.query<{ type: string }>(sql, [id])).rows.map((row) => row.type);
    },
    announced: async (id) => {
      const sql = 'SELECT type, version, details FROM webhook_delivery WHERE project_id = $1';
      const { rows } = await pool.query<{ type: string; version: number; details: string }>(sql, [id]);
      return rows.map(({ type, version, details }) => [type, version, JSON.parse(details) as JsonObject]);
    },
    staleWrites: async (id) =>
      (await pool.query('SELECT 1 FROM stale_write WHERE project_id = $1', [id])).rowCount ?? 0,
    chainFault: async (id) => {
      const sql = 'SELECT version, head_checksum AS checksum FROM project WHERE id = $1';
      const { rows } = await pool.query<{ version: number; checksum: string }>(sql, [id]);
      const links = await loadLinks(pool, id);
      const contents = await loadContents(
        pool,
        links.flatMap((link) => Object.values(link.manifest)),
      );
      const anchor = { projectId: id, version: 0, checksum: '', ...rows[0] };
      return verifyChain(links, anchor, (hash) => contents.get(hash), null).faults[0]?.reason ?? null;
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
});
