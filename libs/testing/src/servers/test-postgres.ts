import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, stopLeftoverPostgres } from '#persistence';
import { tempFolder } from './temp-folder.js';

export interface TestPostgres {
  url: string;
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
