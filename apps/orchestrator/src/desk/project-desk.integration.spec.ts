import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '#config';
import type { Project } from '#contracts';
import { defineMachine, report } from '#engine';
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
import { freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { ScratchKeeper } from '#workspace';
import type { Operation } from '../http/index.js';
import { EngineProjectDesk } from './project-desk.js';

const machine = defineMachine(
  'desk',
  1,
  {
    ASKING: { gate: { name: 'go', ask: 'Go on?', options: { yes: 'agreed' } }, on: { agreed: 'WORKING' } },
    WORKING: { do: 'work', on: { done: 'DONE' } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);
let commit: string | null = null;
const begin = (parameters: JsonObject): JsonObject => ({ ...parameters, ...(commit !== null && { commit }) });
const mode: Mode = {
  name: 'desk', machine, guards: {}, activities: { work: () => Promise.resolve(report('done')) }, childMachines: [],
  needsRepo: false, begin,
}; // prettier-ignore

let database: FreshDatabase;
let folder: TempFolder;
let pool: Database;
let stores: ApiStores;
let desk: EngineProjectDesk;

beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('desk')];
  pool = openPool({ url: database.url, max: 5, name: 'desk', onError: () => undefined });
  stores = openApiStores(pool);
  const modes = new ModeRegistry([mode], [], new PgMachineArchive(pool));
  await modes.open();
  const checkpoints = new PgCheckpoints(pool, null);
  const machineOf = async (name: string, version: number) => (await modes.runnableOf(name, version)).machine;
  const restore = new PgRestore(pool, checkpoints, machineOf, null);
  const keeper = new ScratchKeeper(folder.path, process.env['PATH'] ?? '');
  const config = { checkpointKey: null, onCorrupt: 'last-good', repoRoots: [] } as unknown as Config;
  desk = new EngineProjectDesk({ config, pool, modes, reads: stores.reads, checkpoints, restore, keeper });
});

afterAll(async () => {
  await stores.close();
  await pool.end();
  await database.drop();
  await folder.remove();
});

const operation = (): Operation => ({
  id: newId(),
  by: { keyId: newId(), principal: 'human' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});
const start = (): Promise<Project> =>
  desk.start({ request: 'ask', mode: 'desk', parameters: {}, labels: {} } as never, operation());

const signalsOf = async (id: string): Promise<number> =>
  (await pool.query('SELECT 1 FROM signal WHERE project_id = $1', [id])).rowCount ?? 0;

const set = (id: string, columns: string, ...values: unknown[]) =>
  pool.query(`UPDATE project SET ${columns} WHERE id = $1`, [id, ...values]);

describe('a request that is repeated', () => {
  it('gives a command once, whatever is allowed by then', async () => {
    const { id } = await start();
    const once = operation();
    const given = await desk.command(id, 'PAUSE', once);
    expect(await desk.command(id, 'PAUSE', once)).toEqual(given);
    await set(id, `status = 'completed', state = 'DONE'`);
    expect(await desk.command(id, 'PAUSE', once)).toEqual(given);
    expect(await signalsOf(id)).toBe(1);
  });

  it('forks once, and leaves the files of the live fork alone', async () => {
    const origin = newId();
    const repo = join(folder.path, origin);
    mkdirSync(repo);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', repo, ...args])
        .toString()
        .trim();
    git('init', '-q');
    writeFileSync(join(repo, 'file'), 'as it was');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    commit = git('rev-parse', 'HEAD');
    await desk.start({ request: 'ask', mode: 'desk', parameters: {}, labels: {} } as never, {
      ...operation(),
      id: origin,
    });
    commit = null;
    const once = operation();
    const fork = await desk.fork(origin, 1, once);
    const file = join(folder.path, fork.id, 'file');
    expect(readFileSync(file, 'utf8')).toBe('as it was');
    writeFileSync(file, 'work under way');
    expect(await desk.fork(origin, 1, once)).toEqual(fork);
    expect(readFileSync(file, 'utf8')).toBe('work under way');
  });
});

describe('what cannot be done is refused with the way out', () => {
  it('to decide a step that failed or a bad checkpoint', async () => {
    const { id } = await start();
    const decide = (gate: string) => desk.decide(id, gate, { decision: 'yes' }, operation());
    await set(id, `status = 'blocked', waiting = $2`, '{"kind":"step-failed","code":"X","message":"y"}');
    await expect(decide('failed-step')).rejects.toMatchObject({
      code: 'GATE_NOT_OPEN',
      message: expect.stringContaining(`POST /v1/projects/${id}/commands`) as string,
    });
    await set(id, 'waiting = $2', '{"kind":"checkpoint","seq":1,"reason":"z"}');
    await expect(decide('bad-checkpoint')).rejects.toMatchObject({
      code: 'GATE_NOT_OPEN',
      message: expect.stringContaining('/restore') as string,
    });
    expect(await signalsOf(id)).toBe(0);
  });

  it('to fork a child', async () => {
    const [parent, child] = [await start(), await start()];
    await set(child.id, `parent_id = $2, parent_key = 'a', parent_visit = 1`, parent.id);
    await expect(desk.fork(child.id, 1, operation())).rejects.toMatchObject({
      code: 'PROJECT_IS_CHILD',
      message: expect.stringContaining(parent.name) as string,
    });
  });

  it('to fork a link at which the project was at its end', async () => {
    const { id } = await start();
    await set(id, 'runnable = true');
    await new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: '1' }).heartbeat('w', 60_000);
    const store = new PgProjectStore(pool, null);
    const claim = await store.claim(id, 'w');
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const { lease, snapshot } = claim.project;
    const done = { ...snapshot, state: 'DONE', visit: 2, ended: true };
    const next = { snapshot: done, version: 2, status: 'completed', cause: 'go', changed: {} } as const;
    await store.write(lease, { number: 1, next });
    await store.release(lease, { runnable: false, seenSignal: null });
    await expect(desk.fork(id, 2, operation())).rejects.toMatchObject({
      code: 'CHECKPOINT_ENDED',
      message: expect.stringContaining('Fork an earlier one') as string,
    });
    await expect(desk.restore(id, 1, operation())).rejects.toMatchObject({ code: 'PROJECT_ENDED' });
    expect((await desk.fork(id, 1, operation())).status).toBe('waiting');
  });

  it('to move a project whose machine is not to be had: the world is at fault, whatever was asked', async () => {
    const { id } = await start();
    await set(id, `machine = 'gone', status = 'paused'`);
    const unavailable = { name: 'WorldError', code: 'MACHINE_UNAVAILABLE' };
    await expect(desk.command(id, 'ABORT', operation())).rejects.toMatchObject(unavailable);
    await expect(desk.restore(id, 1, operation())).rejects.toMatchObject(unavailable);
    await expect(desk.fork(id, 1, operation())).rejects.toMatchObject(unavailable);
  });
});
