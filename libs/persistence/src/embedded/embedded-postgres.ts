import { readFileSync } from 'node:fs';
import { WorldError } from '#kernel';
import { ensureCluster, type Cluster } from './cluster.js';
import { lockDataDir, type DataDirLock } from './data-dir-lock.js';
import { freePort } from './free-port.js';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { refuseUnfitUser } from './postgres-command.js';
import { leftoverPostmaster, spawnPostmaster, stopPostmaster, type Postmaster } from './postmaster.js';
import { becomesReady, DATABASE, ensureDatabase, urlOf } from './server-queries.js';
import { Supervisor } from './supervisor.js';

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: (message: string) => void;
  /** The data folder's lock, when the caller holds it already; else it is taken here and given back by stop(). */
  lock?: DataDirLock;
}

export interface EmbeddedPostgres {
  url: string;
  /** Whether a server that an earlier process left behind was taken over. */
  adopted: boolean;
  stop(): Promise<void>;
}

const START_ATTEMPTS = 5;

/** The data folder's own Postgres: made, adopted or started as needed, and kept running until stop(). */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const lock = options.lock ?? lockDataDir(dataDir);
  const giveLockBack = () => {
    if (!options.lock) lock.release();
  };
  try {
    const binaries = postgresBinaries();
    refuseUnfitUser();
    const cluster = await ensureCluster(dataDir, binaries);
    const leftover = await adopt(cluster);
    const postmaster = leftover ?? (await startOnFreePort(binaries, cluster));
    log(`Postgres ${leftover ? 'taken over' : 'started'} on 127.0.0.1:${postmaster.port}, pid ${postmaster.pid}`);
    await ensureDatabase(cluster, postmaster.port);
    const supervisor = new Supervisor(postmaster, (port) => start(binaries, cluster, port), log);
    return {
      url: urlOf(cluster, postmaster.port, DATABASE),
      adopted: leftover !== undefined,
      stop: () => supervisor.stop().finally(giveLockBack),
    };
  } catch (error) {
    giveLockBack();
    throw error;
  }
}

/** A leftover that is just shutting down goes before it is ready, and is then none. */
async function adopt(cluster: Cluster): Promise<Postmaster | undefined> {
  const leftover = leftoverPostmaster(cluster.folder);
  return leftover && (await becomesReady(leftover, cluster)) ? leftover : undefined;
}

/** A free port may be lost to another program before Postgres binds it: then the next one. */
async function startOnFreePort(binaries: PostgresBinaries, cluster: Cluster): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(binaries, cluster, await freePort());
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/Address already in use/.test(String(error))) throw error;
    }
  }
}

async function start(binaries: PostgresBinaries, cluster: Cluster, port: number): Promise<Postmaster> {
  const postmaster = await spawnPostmaster(binaries, cluster, port);
  try {
    if (await becomesReady(postmaster, cluster)) return postmaster;
  } catch (error) {
    await stopPostmaster(postmaster);
    throw error;
  }
  const lastLines = readFileSync(cluster.logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  throw new WorldError('POSTGRES_START_FAILED', `Postgres did not start; ${cluster.logFile} ends with:\n${lastLines}`);
}
