import { hostname } from 'node:os';
import type { Config } from '#config';
import { type Probe, Worker } from '#engine';
import { newId, systemClock } from '#kernel';
import type { ModeRegistry } from '#modes';
import {
  type Database,
  PgCheckpoints,
  PgHistory,
  type PgLedger,
  PgProcessRegistry,
  PgProjectStore,
  PgRestore,
  PgWorkerStore,
} from '#persistence';
import { type CommandRunner, GRACE_MS, isAlive, LeftBehindProcesses, startTimeOf } from '#process-monitor';
import { wakeUpQueue, type WorkQueue } from '#queue';
import type { Logger, Metrics } from '#telemetry';
import { startControl } from './control/open-control.js';
import type { ProjectKeeper } from './project-keeper.js';
import type { Workspace } from './open-workspace.js';
import { corruptionRule } from './corruption-rule.js';
import { showAgain } from './show-again.js';
import { showingHeld } from './show-held.js';
import { startWatchdog } from './watchdog.js';

export interface WorkerHost {
  readonly id: string;
  readonly worker: Worker;
  /** Hands everything back and stops: within three times the grace period, and what the database takes to hear of it. */
  stop(graceMs: number): Promise<void>;
}

export interface Surroundings {
  readonly config: Config;
  readonly pool: Database;
  readonly beatPool: Database;
  readonly queue: WorkQueue;
  readonly modes: ModeRegistry;
  readonly commands: Pick<CommandRunner, 'givenUp'>;
  readonly keeper: ProjectKeeper;
  readonly ledger: Pick<PgLedger, 'sweepLost'>;
  readonly probe: Probe;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly workspace: Pick<Workspace, 'worktrees' | 'artefacts'>;
}

/** So long an interrupted activity is waited for: more than its commands get to tidy up and to be killed. */
const ABORT_DEADLINE_MS = GRACE_MS + 3_000;

/** Starts a worker in this process: clears away what dead ones left, then drives whatever waits. */
export async function hostWorker(surroundings: Surroundings): Promise<WorkerHost> {
  const { config, pool, beatPool, queue, modes, commands, keeper, ledger, probe, logger } = surroundings;
  const id = `${hostname()}-${String(process.pid)}-${newId().slice(-12)}`;
  const identity = { host: hostname(), pid: process.pid, pidStartedAt: startTimeOf(process.pid) ?? 'unknown' };
  const workers = new PgWorkerStore(beatPool, identity);
  const checkpoints = new PgCheckpoints(pool, config.checkpointKey);
  const shows = { ...surroundings.workspace, pool, history: new PgHistory(pool) };
  const restore = new PgRestore(
    pool,
    checkpoints,
    async (name, version) => (await modes.runnableOf(name, version)).machine,
    config.checkpointKey,
    showingHeld(shows, logger),
  );
  const leftBehind = new LeftBehindProcesses(new PgProcessRegistry(pool), identity.host, {
    givenUp: commands.givenUp,
    onStuck: ({ pid, purpose, projectId }, error) =>
      logger.warn(
        { pid, purpose, projectId, error },
        'a process that was left behind cannot be ended; it is tried again',
      ),
  });
  const worker = new Worker(
    {
      store: new PgProjectStore(pool, config.checkpointKey),
      workers,
      queue: wakeUpQueue(queue),
      machines: modes,
      leftBehind,
      corruption: corruptionRule(config.onCorrupt, restore, keeper),
      clock: systemClock,
      probe,
    },
    {
      id,
      maxActive: config.maxActive,
      leaseMs: config.leaseMs,
      heartbeatMs: Math.min(500, config.leaseMs / 4),
      timerMs: 100,
      relayMs: 100,
      reconcileMs: 1_000,
      runner: { abortDeadlineMs: ABORT_DEADLINE_MS, stepRetries: 3, stepBackoffMs: 200, checkpointEveryMs: 120_000 },
    },
  );
  const dead = await workers.buryDead(isAlive);
  await worker.start();
  const onFailure = (look: string, error: unknown): void =>
    logger.warn({ look, error }, 'looking after dead workers failed');
  // What fails now the watchdog tries again: no reason not to work.
  const swept = await leftBehind.sweep(id).catch((error: unknown) => onFailure('leftovers', error));
  logger.info({ worker: id, deadWorkers: dead.length, leftovers: swept ?? 0 }, 'the worker is up');
  const watchdog = await startWatchdog({
    looks: {
      deadWorkers: () => workers.buryDead(isAlive),
      leftovers: () => leftBehind.sweep(id),
      lostCalls: () => ledger.sweepLost(),
    },
    onFailure,
  });
  const onLeft = (): void => worker.relayNow();
  const control = startControl({ ...surroundings, checkpoints, restore, onLeft });
  await queue.start([{ job: 'project.wake', handle: ({ projectId }) => worker.wake(projectId) }]);
  // Beside everything else: nobody's work waits for it.
  const leaving = new AbortController();
  const shown = showAgain({
    ...shows,
    signal: leaving.signal,
    onFailure: (look, error) => logger.warn({ look, error }, 'what a project shows could not be looked at'),
  }).then(
    (count) => (count > 0 ? logger.info({ count }, 'projects at rest are shown again') : undefined),
    (error: unknown) => logger.warn({ error }, 'what projects show could not be looked at'),
  );
  return {
    id,
    worker,
    stop: async (graceMs) => {
      leaving.abort();
      await shown;
      await control.stop();
      await watchdog.stop();
      await worker.stop(graceMs);
      // A command that is still tidying up has had its time: what it started would outlive this process.
      await leftBehind.endOwn(id).catch((error: unknown) => logger.warn({ error }, 'ending the last commands failed'));
    },
  };
}
