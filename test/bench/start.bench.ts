import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#persistence';
import { tempFolder } from '#testing';
import { processesBelow } from '../harness/processes.js';
import { atMost, type Bench, type Figure } from './figure.js';
import { freePort, residentMegabytes, root, ServiceProcess } from './service.js';

const IDLE_MS = 5_000;
const MAIN = /^\S*node (--\S+ )*dist\/apps\/orchestrator\/src\/main\.js/;

/** From `npm start` to ready, on a fresh data folder and on that folder again; and what the idle process holds. */
export const start: Bench = {
  name: 'start',
  run: async () => {
    const folder = tempFolder('bench-start');
    try {
      return await measure(folder.path);
    } finally {
      await folder.remove();
    }
  },
};

async function measure(dataDir: string): Promise<Figure[]> {
  buildIfStale();
  const fresh = await npmStart(dataDir);
  const again = await npmStart(dataDir);
  const bare = await barePostgres();
  const unit = 's';
  const note = 'baseline: initdb and start of Postgres alone';
  return [
    atMost({ name: 'start.fresh', value: fresh.seconds, unit, baseline: bare.fresh, note }, 'value', 8),
    atMost(
      { name: 'start.existing', value: again.seconds, unit, baseline: bare.existing, note: 'baseline: Postgres alone' },
      'value',
      4,
    ),
    atMost(
      {
        name: 'start.idle-memory',
        value: Math.max(fresh.megabytes, again.megabytes),
        unit: 'MB',
        baseline: bareNodeMegabytes(),
        note: 'resident set of the Node process; baseline: a Node process that does nothing',
      },
      'value',
      200,
    ),
  ];
}

/** `npm start` builds when a source is newer than the build; that is not what is measured here. */
function buildIfStale(): void {
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: root, stdio: 'ignore' });
}

async function npmStart(dataDir: string): Promise<{ seconds: number; megabytes: number }> {
  const port = String(await freePort());
  const since = performance.now();
  const npm = ServiceProcess.run('npm', ['start'], { QRALPH_DATA_DIR: dataDir, QRALPH_PORT: port });
  const service = (): number | undefined => processesBelow(npm.pid).find(({ command }) => MAIN.test(command))?.pid;
  try {
    const readyAt = await npm.ready(`http://127.0.0.1:${port}`);
    await delay(IDLE_MS);
    return { seconds: (readyAt - since) / 1_000, megabytes: residentMegabytes(service() ?? 0) };
  } finally {
    const pid = service();
    if (pid === undefined) await npm.end('SIGTERM');
    else process.kill(pid, 'SIGTERM');
    await npm.ended;
  }
}

function bareNodeMegabytes(): number {
  return Number(execFileSync(process.execPath, ['-p', 'process.memoryUsage.rss()'])) / 1_024 / 1_024;
}

async function barePostgres(): Promise<{ fresh: number; existing: number }> {
  const folder = tempFolder('bench-postgres');
  const seconds = async (): Promise<number> => {
    const since = performance.now();
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined });
    const took = (performance.now() - since) / 1_000;
    await server.stop();
    return took;
  };
  try {
    return { fresh: await seconds(), existing: await seconds() };
  } finally {
    await folder.remove();
  }
}
