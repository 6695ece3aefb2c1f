import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { eventually, tempFolder } from '#testing';
import { Api, grantKey } from '../harness/api.js';
import { withServer } from './bench-database.js';
import { atMost, type Bench, type Figure } from './figure.js';
import { freePort, ServiceProcess, type Settings } from './service.js';

const KILLS = 3;
/** Rounds enough to outlast the bench, tasks long enough to be killed in the middle. */
const DRILL = { parameters: { rounds: 100, width: 3, workMs: 200 }, gates: { approval: false } };

interface Held {
  readonly id: string;
  readonly version: number;
}

interface Case {
  readonly name: string;
  readonly hosts: number;
  /** What the worker number `nth` is started with on top. */
  readonly place: (nth: number) => Settings;
  readonly note: string;
}

const preload = fileURLToPath(new URL('../harness/other-host.js', import.meta.url));
const CASES: readonly Case[] = [
  { name: 'takeover', hosts: 1, place: () => ({}), note: 'workers of one host: a dead one is found by its pid' },
  {
    name: 'takeover.other-host',
    hosts: 2,
    place: (nth) => ({ NODE_OPTIONS: `--import=${preload}`, HOST_NAME: `host-${String(nth)}` }),
    note: 'each worker on a host of its own, by name: the lease, the default one, has to run out',
  },
];

/** How long after kill -9 of a worker another has driven on everything that it held. */
export const takeover: Bench = {
  name: 'takeover',
  run: () =>
    withServer(async (newDatabase) => {
      const figures: Figure[] = [];
      for (const one of CASES) figures.push(await measure(await newDatabase(), one));
      return figures;
    }),
};

async function measure(url: string, { name, hosts, place, note }: Case): Promise<Figure> {
  const folder = tempFolder('bench-takeover');
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const port = String(await freePort());
  const settings = { QRALPH_DATA_DIR: folder.path, DATABASE_URL: url, QRALPH_LOG_LEVEL: 'warn' };
  const orchestrator = ServiceProcess.spawn('orchestrator', { ...settings, QRALPH_PORT: port, QRALPH_WORKER: 'off' });
  const workers: ServiceProcess[] = [];
  const startWorker = (): void => {
    workers.push(ServiceProcess.spawn('worker', { ...settings, ...place(workers.length + 1) }));
  };
  startWorker();
  startWorker();
  try {
    const base = `http://127.0.0.1:${port}`;
    await orchestrator.ready(base);
    await new Api(base, await grantKey(pool)).startDrill(DRILL);
    const times: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await bothWork(pool, hosts);
      times.push(await killOne(pool, workers));
      startWorker();
    }
    const whole = `the slowest of ${String(KILLS)}; ${note}`;
    return atMost({ name, value: Math.max(...times) / 1_000, unit: 's', note: whole }, 'value', 5);
  } finally {
    await Promise.all([orchestrator, ...workers].map((one) => one.end('SIGTERM')));
    await pool.end();
    await folder.remove();
  }
}

const bothWork = (pool: pg.Pool, hosts: number): Promise<unknown> =>
  eventually(`two workers live on ${String(hosts)} hosts`, async () => {
    const { rows } = await pool.query<{ host: string }>('SELECT host FROM worker WHERE alive_until > now()');
    return rows.length === 2 && new Set(rows.map(({ host }) => host)).size === hosts;
  }); // prettier-ignore

/** Kills a worker that holds something; returns the milliseconds until all of that has moved on. */
async function killOne(pool: pg.Pool, workers: readonly ServiceProcess[]): Promise<number> {
  for (;;) {
    const victim = await eventually('a worker holds a project', async () => {
      const { rows } = await pool.query<{ id: string; pid: number }>(
        'SELECT w.id, w.pid FROM worker w JOIN project p ON p.lease_worker = w.id WHERE w.alive_until > now() LIMIT 1',
      );
      return rows[0];
    });
    await workers.find((worker) => worker.pid === victim.pid)?.end('SIGKILL');
    const killedAt = performance.now();
    const held = await heldBy(pool, victim.id);
    if (held.length === 0) continue;
    await eventually('what it held has moved on', () => haveMoved(pool, held), { deadlineMs: 30_000, everyMs: 5 });
    return performance.now() - killedAt;
  }
}

async function heldBy(pool: pg.Pool, workerId: string): Promise<Held[]> {
  const sql = 'SELECT id, version FROM project WHERE lease_worker = $1';
  return (await pool.query<Held>(sql, [workerId])).rows;
}

async function haveMoved(pool: pg.Pool, held: readonly Held[]): Promise<boolean> {
  const { rows } = await pool.query<Held>('SELECT id, version FROM project WHERE id = ANY($1)', [
    held.map(({ id }) => id),
  ]);
  return held.every((before) => rows.some((now) => now.id === before.id && now.version > before.version));
}
