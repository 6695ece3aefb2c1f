import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, stopLeftoverPostgres } from '#persistence';
import { eventually } from './eventually.js';
import { tempFolder } from './temp-folder.js';

export interface TestPostgres {
  url: string;
  /** Ends the server (fast: connections are cut cleanly; immediate: as by a crash) and waits until it is back. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

const PURPOSE = 'postgres';

/** A real server in a temporary folder; stop() leaves nothing behind. */
export async function startTestPostgres(): Promise<TestPostgres> {
  await sweepLeftovers();
  const folder = tempFolder(PURPOSE);
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => {} });
    return {
      url: server.url,
      restart: (how) => restart(folder.path, server.url, how),
      stop: async () => {
        await server.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** The embedded server's own supervisor brings it back. */
async function restart(dataDir: string, url: string, how: 'fast' | 'immediate'): Promise<void> {
  const pidOf = (): number => {
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  };
  const old = pidOf();
  process.kill(old, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  await eventually('Postgres is back', async () => pidOf() !== old && (await answers(url)), { deadlineMs: 20_000 });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A run that was killed could not clean up: the next one does, as far as the folders are its to clean. */
async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(`qralph-test-${PURPOSE}-`))) {
    const dataDir = join(tmpdir(), name);
    // Without this a run would sweep the folder that another run has just made and not yet locked.
    if (!existsSync(join(dataDir, 'postgres.log'))) continue;
    await stopLeftoverPostgres(dataDir)
      .then(() => rm(dataDir, { recursive: true, force: true }))
      .catch(() => {});
  }
}
