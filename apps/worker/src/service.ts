import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir } from 'node:fs/promises';
import type { Config } from '#config';
import type { Probe } from '#engine';
import { errorMessage, secrets, systemClock, WorldError } from '#kernel';
import { type Database, migrate, openPool, startEmbeddedPostgres } from '#persistence';
import { openWorkQueue, type WorkQueue } from '#queue';
import {
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  queueAround,
  startTracing,
  telemetryProbe,
  telemetryTrace,
} from '#telemetry';
import type { ModeRegistry } from '#modes';
import type { PgLedger } from '#persistence';
import type { CommandRunner } from '#process-monitor';
import { learnSecrets } from './learn-secrets.js';
import { openModes } from './open-modes.js';
import type { Workspace } from './open-workspace.js';
import type { ProjectKeeper } from './project-keeper.js';

/** Everything that both the orchestrator and a worker stand on. */
export interface Service {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly probe: Probe;
  readonly pool: Database;
  /** Connections that nothing slow can take from the heartbeat. */
  readonly beatPool: Database;
  readonly queue: WorkQueue;
  readonly modes: ModeRegistry;
  readonly commands: CommandRunner;
  readonly keeper: ProjectKeeper;
  readonly workspace: Workspace;
  readonly ledger: PgLedger;
  close(): Promise<void>;
}

const POOL_SIZE = 12;
const BEAT_POOL_SIZE = 2;
const DATABASE_TRIES = 15;
const DATABASE_RETRY_MS = 1_000;
const WITHOUT_WALLS =
  'commands of agents can read all that this service can, its keys too: install bubblewrap, or allow user namespaces';
const GUESSABLE =
  'its password is short, a common word or a part of the address: it protects nothing, and is not blotted out anywhere';

export interface ServiceOptions {
  readonly name: string;
  /** Whether a worker will run in this process. */
  readonly doesWork: boolean;
  /** Listens beside telemetry; tests pull the plug here. */
  readonly wrapProbe?: (probe: Probe) => Probe;
}

/** Opens database, queue, telemetry and modes, in the order they need each other; closes them in reverse. */
export async function openService(config: Config, { name, doesWork, wrapProbe }: ServiceOptions): Promise<Service> {
  await mkdir(config.dataDir, { recursive: true });
  const logger = createLogger({ logLevel: config.logLevel, name });
  for (const setting of learnSecrets(config, secrets)) logger.warn({ code: 'PASSWORD_GUESSABLE', setting }, GUESSABLE);
  const metrics = createMetrics();
  const closers: (() => Promise<void>)[] = [];
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const closer of closers.reverse().splice(0)) {
      await closer().catch((error: unknown) => logger.warn({ error }, 'closing failed'));
    }
  };
  try {
    const tracing = await startTracing(config.tracing, `${name}-${String(process.pid)}`);
    closers.push(() => tracing.stop(2_000));
    const databaseUrl = config.databaseUrl ?? (await embedded(config, logger, closers));
    await migrated(databaseUrl, logger);
    // All share the connections: one that breaks is no matter of the project that happened to open it.
    const onError = AsyncLocalStorage.bind((error: Error): void => {
      if (!isClosing) logger.warn({ error: errorMessage(error) }, 'a database connection broke');
    });
    const pool = openPool({ url: databaseUrl, max: POOL_SIZE, name, onError });
    closers.push(() => pool.end());
    const beatPool = openPool({ url: databaseUrl, max: BEAT_POOL_SIZE, name: `${name}-beat`, onError });
    closers.push(() => beatPool.end());
    const opened = await openModes(config, pool, {
      doesWork,
      trace: telemetryTrace(metrics),
      onNote: () => metrics.noteDelivered(),
      onCleanRun: (run) => metrics.cleanRun(run),
      onError: (error) => logger.error({ error }, 'a call of a model could not be settled'),
    });
    closers.push(() => opened.close());
    if (!opened.workspace.guarantees.hidesFiles) logger.warn({ code: 'SANDBOX_WITHOUT_WALLS' }, WITHOUT_WALLS);
    const queue = await openWorkQueue({
      databaseUrl,
      redisUrl: config.redisUrl,
      log: (level, message, details) => logger[isClosing ? 'debug' : level](details, message),
      around: (job, traceparent, work, waitedMs) => {
        metrics.queueLag(waitedMs / 1_000);
        return queueAround(job, traceparent, work);
      },
      concurrency: 16,
    });
    closers.push(() => queue.close(2_000));
    const plain = telemetryProbe({ metrics, warn: (details, message) => logger.warn(details, message) });
    const probe = wrapProbe?.(plain) ?? plain;
    return {
      config,
      logger,
      metrics,
      probe,
      pool,
      beatPool,
      queue,
      modes: opened.modes,
      commands: opened.commands,
      keeper: opened.keeper,
      workspace: opened.workspace,
      ledger: opened.ledger,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database that is starting, or has no connection left, is waited for: whoever restarts everything at once is common. */
async function migrated(databaseUrl: string, logger: Logger): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await migrate(databaseUrl);
      return;
    } catch (error) {
      if (!(error instanceof WorldError) || tries >= DATABASE_TRIES) throw error;
      logger.warn({ error: errorMessage(error), tries }, 'the database is not there yet');
      await systemClock.sleep(DATABASE_RETRY_MS);
    }
  }
}

async function embedded(config: Config, logger: Logger, closers: (() => Promise<void>)[]): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (message) => logger.info(message) });
  closers.push(() => postgres.stop());
  return postgres.url;
}
