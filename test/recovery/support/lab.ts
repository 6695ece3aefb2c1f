import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { loadConfig } from '#config';
import { StartProject } from '#contracts';
import { newId, silentTrace } from '#kernel';
import type { ModeRegistry } from '#modes';
import { openPool } from '#persistence';
import { freshDatabase, tempFolder } from '#testing';
import { openWebhookDesk } from '../../../apps/orchestrator/src/desk/webhook-desk.js';
import { startProject } from '../../../apps/orchestrator/src/desk/start-project.js';
import { DemoRepository } from '../../../apps/orchestrator/src/demo/demo-repository.js';
import { openModes } from '../../../apps/worker/src/open-modes.js';
import { refuseStaleBuild } from '../../harness/built.js';
import { type ServiceProcess, startProcess } from '../../harness/service-process.js';
import type { Fire } from '../../harness/under-fire.main.js';
import type { SmallOrder } from './smallest.js';

const PLAYBOOK = fileURLToPath(new URL('./work.playbook.yaml', import.meta.url));

export interface LabOptions {
  readonly leaseMs?: number;
  readonly redisUrl?: string;
}

/** A database, a data folder and the processes that work on them; closing it leaves nothing. */
export interface Lab {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly modes: ModeRegistry;
  process(fire: Fire, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Creates a project as the API does, and returns its id. */
  begin(order: SmallOrder): Promise<string>;
  close(): Promise<void>;
}

export async function openLab({ leaseMs = 1_000, redisUrl }: LabOptions = {}): Promise<Lab> {
  refuseStaleBuild();
  const database = await freshDatabase();
  const folder = tempFolder('recovery');
  const pool = openPool({ url: database.url, max: 4, name: 'recovery-test', onError: () => undefined });
  const repositories = tempFolder('recovery-repositories');
  const surroundings = { QRALPH_REPO_ROOTS: repositories.path, QRALPH_PLAYBOOK: PLAYBOOK };
  const config = loadConfig({
    DATABASE_URL: database.url,
    QRALPH_DATA_DIR: folder.path,
    PATH: process.env['PATH'],
    ...surroundings,
  });
  const {
    modes,
    workspace,
    close: closeModes,
  } = await openModes(config, pool, {
    doesWork: false,
    trace: silentTrace,
    onError: () => undefined,
  });
  const processes = new Set<Promise<ServiceProcess>>();
  return {
    pool,
    databaseUrl: database.url,
    dataDir: folder.path,
    modes,
    process: (fire, env) => {
      const settings = { QRALPH_LEASE_MS: String(leaseMs), QRALPH_LOG_LEVEL: 'info', ...surroundings, ...env };
      const started = startProcess(fire, {
        dataDir: folder.path,
        databaseUrl: database.url,
        ...(redisUrl !== undefined && { redisUrl }),
        env: settings,
      });
      processes.add(started);
      return started;
    },
    begin: async (order) => {
      const id = newId();
      const by = { principal: 'human', keyId: 'recovery-test' } as const;
      const traceparent = `00-${id.replaceAll('-', '')}-${id.replaceAll('-', '').slice(16)}-01`;
      const path = join(repositories.path, id);
      const { needsRepo } = modes.mode(order.mode);
      if (needsRepo) await new DemoRepository(path, config.commandPath).make();
      const repo = needsRepo ? { repo: { path } } : {};
      const whole = StartProject.parse({ request: 'Live through it', ...repo, ...order });
      const { worktrees } = workspace;
      const webhooks = openWebhookDesk(pool, config);
      await startProject({ config, pool, modes, worktrees, webhooks }, whole, { id, by, traceparent });
      return id;
    },
    close: async () => {
      const ended = [...processes].map((started) =>
        started.then(
          (one) => one.kill('SIGKILL'),
          () => undefined,
        ),
      );
      await Promise.all(ended);
      await closeModes();
      await pool.end();
      await database.drop();
      await folder.remove();
      await repositories.remove();
    },
  };
}
