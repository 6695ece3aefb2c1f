import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { secrets } from '#kernel';
import {
  openApiStores,
  PgCheckpoints,
  PgCommands,
  PgCosts,
  PgHistory,
  PgMemory,
  PgNotes,
  PgPace,
  PgPatterns,
  PgProcessRegistry,
  PgRestore,
  webhookBacklog,
} from '#persistence';
import { LiveProcesses } from '#process-monitor';
import { liveTeam } from '#team';
import { openStatus } from '../../worker/src/control/open-control.js';
import type { DeliveryLoop } from '#webhooks';
import { hostDeliveries } from '../../worker/src/host-deliveries.js';
import { hostWorker, type WorkerHost } from '../../worker/src/host-worker.js';
import { GRACE_MS } from '../../worker/src/run-until-told.js';
import type { Service } from '../../worker/src/service.js';
import { showingHeld } from '../../worker/src/show-held.js';
import { EngineBudgetDesk } from './desk/budget-desk.js';
import { memoryByRepository, patternsByRepository, repositoryPaths } from './desk/by-repository.js';
import { FoundCapabilities } from './desk/capability-reads.js';
import { EngineNoteDesk } from './desk/note-desk.js';
import { EngineProjectDesk } from './desk/project-desk.js';
import { ProjectSummaries } from './desk/summary/project-summary.js';
import { serviceFacts } from './desk/service-facts.js';
import { sweepForks } from './desk/sweep-forks.js';
import { openWebhookDesk } from './desk/webhook-desk.js';
import { RepositoryReads } from './desk/workspace-reads.js';
import { createHttpApp, ensureAdminKey, readinessOf } from './http/index.js';

export interface Orchestrator {
  readonly url: string;
  /** Path of the admin key's file when one was made at this start. */
  readonly adminKeyFile: string | null;
  /** Stops intake, hands leases back, and answers what is under way. */
  stop(): Promise<void>;
}

/** The API, and in this process a worker unless it is told otherwise. */
export async function startOrchestrator(service: Service): Promise<Orchestrator> {
  const { config, logger, metrics, pool, queue, modes, keeper } = service;
  const { worktrees, artefacts } = service.workspace;
  const whyNot = async (name: string, version: number): Promise<string | null> => {
    const resolved = await modes.resolve(name, version);
    return resolved.kind === 'runnable' ? null : resolved.reason;
  };
  const stores = openApiStores(pool, whyNot, liveTeam);
  const { reads, keys } = stores;
  const checkpoints = new PgCheckpoints(pool, config.checkpointKey);
  const machineOf = async (name: string, version: number) => (await modes.runnableOf(name, version)).machine;
  const onHeld = showingHeld({ pool, worktrees, artefacts, history: new PgHistory(pool) }, logger);
  const restore = new PgRestore(pool, checkpoints, machineOf, config.checkpointKey, onHeld);
  const adminKeyFile = await ensureAdminKey(keys, config.dataDir);
  const swept = sweepForks({
    ...{ pool, keeper },
    onFailure: (projectId, error) => logger.warn({ projectId, error }, 'what a fork left could not be taken away'),
  }).catch((error: unknown) => logger.warn({ error }, 'what forks left could not be looked at'));
  const host = config.hostsWorker ? await hostWorker(service) : null;
  const onLeft = (): void => host?.worker.relayNow();
  metrics.watch({
    projects: () => reads.countByState(),
    leasesHeld: () => host?.worker.activeCount ?? 0,
    webhooks: () => webhookBacklog(pool),
  });
  const pathOf = repositoryPaths(config.repoRoots);
  const webhooks = openWebhookDesk(pool, config);
  const pace = new PgPace(pool, config.steering.perMinute);
  const app = await createHttpApp({
    config,
    logger,
    metrics,
    desk: new EngineProjectDesk({
      ...{ config, pool, modes, reads, checkpoints, restore, keeper, worktrees, webhooks, pace, onLeft },
      status: openStatus(service, () => stores),
      counts: (door, outcome) => metrics.command(door, outcome),
      countsDecisions: (outcome) => metrics.decision(outcome),
    }),
    webhooks,
    reads,
    eventLog: reads,
    checkpoints: stores.checkpoints,
    commands: new PgCommands(pool),
    teams: stores.teams,
    summaries: new ProjectSummaries({ reads, teams: stores.teams, history: new PgHistory(pool), worktrees, modes }),
    costs: new PgCosts(pool),
    budgets: new EngineBudgetDesk({ config, pool, modes, reads, checkpoints, onLeft }),
    notes: new EngineNoteDesk({
      pool,
      modes,
      reads,
      notes: new PgNotes(pool),
      pace,
      countsNotes: (outcome) => metrics.note(outcome),
    }),
    memory: memoryByRepository(new PgMemory(pool), pathOf),
    patterns: patternsByRepository(new PgPatterns(pool), pathOf),
    processes: new LiveProcesses(new PgProcessRegistry(pool), hostname(), secrets),
    capabilities: new FoundCapabilities(config),
    workspaces: new RepositoryReads(worktrees, artefacts, (id) => stores.teams.deliverables(id)),
    keys,
    idempotency: stores.idempotency,
    facts: await serviceFacts(config, service.workspace.sandbox),
    readiness: readinessOf({
      database: async () => (await pool.query('SELECT 1')) && null,
      queue: async () => (await queue.ping(), null),
      ...(host && { worker: async () => (queue.isConsuming() ? null : 'does not consume') }),
    }),
  });
  await app.listen(config.port, config.host);
  const deliveries = hostDeliveries(service);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const name = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${name}:${String(port)}`,
    adminKeyFile,
    stop: () => swept.then(() => stop(app, host, deliveries, stores)),
  };
}

async function stop(
  app: { close(): Promise<void> },
  host: WorkerHost | null,
  deliveries: DeliveryLoop,
  stores: { close(): Promise<void> },
): Promise<void> {
  await app.close();
  await Promise.all([host?.stop(GRACE_MS), deliveries.stop(GRACE_MS)]);
  await stores.close();
}
