import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '#config';
import { openPool } from '#persistence';
import { freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { openService } from './service.js';

/** A release whose drill lost its activities. */
vi.mock('#modes', async (original) => {
  const modes = await original<typeof import('#modes')>();
  const drillMode: typeof modes.drillMode = (scratch) => ({ ...modes.drillMode(scratch), activities: {} });
  return { ...modes, drillMode };
});

let database: FreshDatabase;
let folder: TempFolder;
beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('service')];
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

async function connectionsOf(name: string): Promise<number> {
  const pool = openPool({ url: database.url, max: 1, name: 'observer', onError: () => undefined });
  const sql = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1';
  const { rowCount } = await pool.query(sql, [`${name}%`]).finally(() => pool.end());
  return rowCount ?? 0;
}

it('does not start with a machine that could not run, and leaves no connection open', async () => {
  const config = loadConfig({ QRALPH_DATA_DIR: folder.path, DATABASE_URL: database.url, QRALPH_LOG_LEVEL: 'silent' });
  await expect(openService(config, { name: 'refused', doesWork: true })).rejects.toMatchObject({
    code: 'MACHINE_REFUSED',
    message: expect.stringContaining('drill@2: CHECKING: nobody provides activity check') as string,
  });
  await expect.poll(() => connectionsOf('refused')).toBe(0);
});
