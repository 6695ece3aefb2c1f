import { join } from 'node:path';
import { type Config, loadConfig } from '#config';
import type { Project } from '#contracts';
import { applySignal, type ClaimedProject, defineMachine, report, type Snapshot, statusOf } from '#engine';
import { type JsonObject, newId } from '#kernel';
import { type Mode, ModeRegistry } from '#modes';
import {
  type ApiStores,
  type Database,
  openApiStores,
  openPool,
  PgCheckpoints,
  PgMachineArchive,
  PgProjectStore,
  PgRestore,
  PgWorkerStore,
} from '#persistence';
import { freshDatabase, tempFolder } from '#testing';
import { GitWorktrees, ScratchKeeper } from '#workspace';
import type { Operation } from '../http/index.js';
import { type DeskParts, EngineProjectDesk } from './project-desk.js';
import { openWebhookDesk } from './webhook-desk.js';

const machine = defineMachine(
  'desk',
  1,
  {
    ASKING: {
      gate: {
        name: 'go',
        ask: 'Go on?',
        options: { yes: 'agreed', again: 'doubted' },
        consequences: { yes: 'The work begins.', again: 'You are asked again.' },
      },
      on: {
        agreed: 'WORKING',
        doubted: 'ASKING',
        'budget:raised': 'WORKING',
        RETRY: { to: 'WORKING', by: 'human' },
      },
    },
    WORKING: { do: 'work', on: { done: 'DONE' } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);
const mode: Mode = {
  name: 'desk', machine, guards: {}, activities: { work: () => Promise.resolve(report('done')) }, childMachines: [],
  needsRepo: false, options: ['verify'], optionalGates: ['go'], roles: ['worker'], begin: (parameters) => parameters,
}; // prettier-ignore
const onRepository: Mode = { ...mode, name: 'on-repository', machine: { ...machine, name: 'other' }, needsRepo: true };

/** A desk on a database of its own, and a worker that does what it is told. */
export interface DeskWorld {
  readonly desk: EngineProjectDesk;
  readonly parts: DeskParts;
  readonly pool: Database;
  readonly stores: ApiStores;
  readonly folder: string;
  /** The same desk on parts of which some are the test's own. */
  deskWith(parts: Partial<DeskParts>): EngineProjectDesk;
  start(order?: JsonObject, operation?: Operation): Promise<Project>;
  set(id: string, columns: string, ...values: unknown[]): Promise<unknown>;
  /** Holds a project as a worker does, and leaves it as `work` says, with all its signals consumed. */
  drive(id: string, work: (project: ClaimedProject) => Snapshot): Promise<void>;
  signals(id: string): Promise<JsonObject[]>;
  events(id: string, type: string): Promise<JsonObject[]>;
  close(): Promise<void>;
}

export const operation = (): Operation => ({
  id: newId(),
  by: { keyId: newId(), principal: 'human' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});

/** Every signal that waits, in order. The activity waits for what it `asks`, one after the other, each time it goes on. */
export const obeying = (...asks: NonNullable<Snapshot['wait']>[]) => {
  return ({ snapshot, signals }: ClaimedProject): Snapshot =>
    signals.reduce((before, signal) => {
      const result = applySignal(machine, before, signal, {});
      if (result.kind === 'moved') return result.next;
      return result.kind === 'changed' ? { ...result.next, wait: asks.shift() ?? null } : before;
    }, snapshot);
};

/** A database that loses its answer to one kind of statement of a transaction, and then is there again or is not. */
export function deafTo(statement: string, pool: Database, then: 'back' | 'away'): Database {
  let isAway = false;
  const reached = <T>(ask: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : ask();
  const connect = async (): Promise<unknown> => {
    const client = await pool.connect();
    const query = async (sql: string, values?: unknown[]): Promise<unknown> => {
      const answer: unknown = await client.query(sql, values);
      if (!sql.includes(statement)) return answer;
      isAway = then === 'away';
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    return { query, release: (error?: Error) => client.release(error) };
  };
  const query = (sql: string, values?: unknown[]): Promise<unknown> => reached(() => pool.query(sql, values));
  return { query, connect: () => reached(connect) } as unknown as Database;
}

export async function openDeskWorld(commandPath: string): Promise<DeskWorld> {
  const [database, folder] = [await freshDatabase(), tempFolder('desk')];
  const pool = openPool({ url: database.url, max: 5, name: 'desk', onError: () => undefined });
  const stores = openApiStores(pool);
  const modes = new ModeRegistry([mode, onRepository], [], new PgMachineArchive(pool));
  await modes.open();
  const checkpoints = new PgCheckpoints(pool, null);
  const machineOf = async (name: string, version: number) => (await modes.runnableOf(name, version)).machine;
  const parts: DeskParts = {
    config: {
      checkpointKey: null,
      onCorrupt: 'last-good',
      repoRoots: [folder.path],
      budget: { usd: '40.00', tokens: 500_000 },
      steering: { perMinute: 0, mostWaiting: 100 },
    } as unknown as Config,
    pool,
    modes,
    reads: stores.reads,
    checkpoints,
    restore: new PgRestore(pool, checkpoints, machineOf, null),
    keeper: scratchAlone(new ScratchKeeper(folder.path, commandPath)),
    worktrees: new GitWorktrees({ root: join(folder.path, 'worktrees'), path: commandPath }),
    webhooks: openWebhookDesk(pool, { webhooks: { ...loadConfig({}).webhooks, allowed: ['localhost'] } }),
  };
  const deskWith = (own: Partial<DeskParts>) => new EngineProjectDesk({ ...parts, ...own });
  const desk = deskWith({});
  const set: DeskWorld['set'] = (id, columns, ...values) =>
    pool.query(`UPDATE project SET ${columns} WHERE id = $1`, [id, ...values]);
  await new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: '1' }).heartbeat('w', 600_000);
  const read = async (sql: string, values: unknown[]): Promise<JsonObject[]> => {
    const { rows } = await pool.query<{ text: string }>(sql, values);
    return rows.map(({ text }) => JSON.parse(text) as JsonObject);
  };
  return {
    desk,
    parts,
    pool,
    stores,
    folder: folder.path,
    deskWith,
    start: (order = {}, by = operation()) =>
      desk.start({ request: 'ask', mode: 'desk', parameters: {}, labels: {}, ...order } as never, by),
    set,
    drive: async (id, work) => {
      await set(id, 'runnable = true');
      const store = new PgProjectStore(pool, null);
      const claim = await store.claim(id, 'w');
      if (claim.kind !== 'claimed') throw new Error(claim.kind);
      const { lease, version, writes, signals } = claim.project;
      const snapshot = work(claim.project);
      const status = statusOf(machine, snapshot);
      const next = { snapshot, version: version + 1, status, cause: 'test', changed: snapshot.context };
      await store.write(lease, { number: writes + 1, next, consumed: signals.map(({ seq }) => seq) });
      await store.release(lease, { runnable: false, seenSignal: null });
    },
    signals: (id) => read('SELECT body AS text FROM signal WHERE project_id = $1 ORDER BY seq', [id]),
    events: (id, type) =>
      read('SELECT data AS text FROM event WHERE project_id = $1 AND type = $2 ORDER BY seq', [id, type]),
    close: async () => {
      await stores.close();
      await pool.end();
      await database.drop();
      await folder.remove();
    },
  };
}

/** Of projects without a repository. */
const scratchAlone = (scratch: ScratchKeeper): DeskParts['keeper'] => ({
  reset: async (projectId, commit) => {
    await scratch.reset(projectId, commit);
    return {};
  },
  settle: () => Promise.resolve(),
  witnesses: (projectId) => scratch.witnesses(projectId),
  fork: (from, { to }, commit) => scratch.fork(from, to, commit),
  forked: () => Promise.resolve(),
  unfork: (projectId) => scratch.unfork(projectId),
});
