import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, WorldError } from '#kernel';
import type { PostgresBinaries } from './postgres-binaries.js';
import { postgresCommand, postgresEnvironment } from './postgres-command.js';

/** A Postgres cluster: its files, made once, and the secret to enter it. */
export interface Cluster {
  folder: string;
  logFile: string;
  password: string;
}

export const CLUSTER_USER = 'qralph';
const UNFINISHED = 'postgres-unfinished-';

export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The data folder's cluster, made now if there is none. The caller holds the data folder's lock. */
export async function ensureCluster(dataDir: string, binaries: PostgresBinaries): Promise<Cluster> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(UNFINISHED))) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  const password = ensurePassword(join(dataDir, 'postgres.password'));
  if (!existsSync(clusterFolder(dataDir))) await createCluster(dataDir, binaries);
  return {
    // Links resolved, as /proc shows it: that is how a server of this folder is recognised.
    folder: realpathSync(clusterFolder(dataDir)),
    logFile: join(dataDir, 'postgres.log'),
    password,
  };
}

function ensurePassword(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.draft`;
    rmSync(draft, { force: true });
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/** Made aside and moved into place whole: a kill in between leaves nothing that looks like a cluster. */
async function createCluster(dataDir: string, { initdb }: PostgresBinaries): Promise<void> {
  const unfinished = join(dataDir, `${UNFINISHED}${process.pid}`);
  const { file, args } = postgresCommand(initdb, [
    `--pgdata=${unfinished}`,
    `--username=${CLUSTER_USER}`,
    `--pwfile=${join(dataDir, 'postgres.password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  try {
    await promisify(execFile)(file, args, { env: postgresEnvironment });
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new WorldError(
      'POSTGRES_INIT_FAILED',
      `initdb failed in ${dataDir}: ${(cause as { stderr?: string }).stderr || errorMessage(cause)}`,
      {},
      { cause },
    );
  }
  renameSync(unfinished, clusterFolder(dataDir));
}
