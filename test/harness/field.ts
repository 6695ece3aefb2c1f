import type pg from 'pg';
import { openPool } from '#persistence';
import { eventually, freshDatabase, freshDatabaseOn, tempFolder } from '#testing';
import { Api, grantKey } from './api.js';
import { brokenInvariants } from './invariants.js';
import { type ServiceProcess, type Settings, startProcess } from './service-process.js';
import type { Fire } from './under-fire.main.js';

export interface FieldOptions extends Omit<Settings, 'dataDir' | 'databaseUrl'> {
  /** Another server than the one of the test run. */
  readonly serverUrl?: string;
}

/** A database, a data folder and the processes of one test; close() leaves nothing of them. */
export interface Field {
  readonly pool: pg.Pool;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly key: string;
  process(fire: Fire, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  orchestrator(env?: Readonly<Record<string, string>>): Promise<ServiceProcess & { readonly api: Api }>;
  /** What does not hold, once nothing runs any more. */
  broken(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openField({ serverUrl, env, ...settings }: FieldOptions = {}): Promise<Field> {
  const database = await (serverUrl === undefined ? freshDatabase() : freshDatabaseOn(serverUrl));
  const folder = tempFolder('field');
  const pool = openPool({ url: database.url, max: 3, name: 'observer', onError: () => undefined });
  const key = await grantKey(pool);
  const processes: ServiceProcess[] = [];
  const process: Field['process'] = async (fire, more) => {
    const place = { dataDir: folder.path, databaseUrl: database.url, ...settings, env: { ...env, ...more } };
    const one = await startProcess(fire, place);
    processes.push(one);
    return one;
  };
  return {
    pool,
    dataDir: folder.path,
    databaseUrl: database.url,
    key,
    process,
    orchestrator: async (more) => {
      const one = await process({ role: 'orchestrator' }, more);
      return { ...one, api: new Api(one.url ?? '', key) };
    },
    broken: async () => {
      const noProcess = async (): Promise<boolean> => (await pool.query('SELECT 1 FROM process')).rowCount === 0;
      await eventually('no process has a row', noProcess).catch(() => undefined);
      return brokenInvariants(pool, folder.path);
    },
    close: async () => {
      for (const one of processes) one.child.kill('SIGCONT');
      await Promise.all(processes.map((one) => one.kill('SIGTERM')));
      await pool.end();
      await database.drop();
      await folder.remove();
    },
  };
}
