import { hostname } from 'node:os';
import type { Config } from '#config';
import { secrets } from '#kernel';
import type { ModeRegistry } from '#modes';
import { type ApiStores, type Database, openApiStores, type PgCheckpoints, PgControlFiles, PgProcessRegistry, type PgRestore } from '#persistence'; // prettier-ignore
import { LiveProcesses } from '#process-monitor';
import { liveTeam } from '#team';
import type { Logger, Metrics } from '#telemetry';
import type { Workspace } from '../open-workspace.js';
import { ControlFile, type Entry } from './control-file.js';
import { ControlWatch } from './control-watch.js';
import { standingOf } from './standings.js';
import { StatusDesk } from './status-desk.js';

interface StatusSurroundings {
  readonly pool: Database;
  readonly workspace: Pick<Workspace, 'worktrees' | 'artefacts'>;
}

export const openStatus = (
  { pool, workspace }: StatusSurroundings,
  stores: () => Pick<ApiStores, 'reads' | 'teams'>,
): StatusDesk =>
  new StatusDesk({
    pool,
    stores,
    processes: new LiveProcesses(new PgProcessRegistry(pool), hostname(), secrets),
    ...workspace,
    now: () => new Date(),
  });

export interface ControlSurroundings extends StatusSurroundings {
  readonly config: Pick<Config, 'controlPollMs' | 'onCorrupt' | 'steering'>;
  readonly modes: ModeRegistry;
  readonly checkpoints: PgCheckpoints;
  readonly restore: PgRestore;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly onLeft: () => void;
}

/** Watches the CONTROL.md of every project whose repository this host has, from now on until it is stopped. */
export function startControl(surroundings: ControlSurroundings): { stop(): Promise<void> } {
  const { config, pool, workspace, metrics, logger, onLeft } = surroundings;
  const { artefacts } = workspace;
  let stores: ApiStores | null = null;
  // Only who is asked for a status reads what the API reads.
  const status = openStatus(surroundings, () => (stores ??= openApiStores(pool, undefined, liveTeam)));
  const store = new PgControlFiles<Entry>(pool);
  const file = new ControlFile({
    store,
    artefacts,
    standing: (projectId) => standingOf(surroundings, projectId),
    stateOf: (projectId) => store.stateOf(projectId),
    status: async (projectId) => void (await status.report(projectId)),
    counts: (door, outcome) => metrics.command(door, outcome),
    mostWaiting: config.steering.mostWaiting,
    now: () => new Date(),
    onLeft,
  });
  const watch = new ControlWatch({
    pollMs: config.controlPollMs,
    live: () => store.live(),
    look: (project, isLive) => file.look(project, isLive),
    folderOf: ({ repo, name }) => artefacts.folderOf({ repo, name }),
    warn: (details, message) => logger.warn(details, message),
  });
  watch.start();
  return {
    stop: async () => {
      await watch.stop();
      await stores?.close();
    },
  };
}
