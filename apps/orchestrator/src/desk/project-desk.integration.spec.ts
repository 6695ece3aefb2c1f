import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withCompletion } from '#engine';
import { newId, UserError, WorldError } from '#kernel';
import { ModeRegistry } from '#modes';
import { type Database, PgMachineArchive } from '#persistence';
import { deafTo, type DeskWorld, obeying, openDeskWorld, operation } from './desk.fixture.js';
import type { EngineProjectDesk } from './project-desk.js';

let world: DeskWorld;
let desk: EngineProjectDesk;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  ({ desk } = world);
});
afterAll(() => world.close());

const order = { request: 'ask', mode: 'desk', parameters: {}, labels: {} } as never;
const version = async (id: string): Promise<number> => (await world.stores.reads.get(id)).checkpoint.seq;
const atOnce = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 4 }, ask));

/** A project that has files of its own at its first checkpoint. */
async function withFiles(): Promise<string> {
  const id = newId();
  const repo = join(world.folder, id);
  mkdirSync(repo);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', repo, ...args])
      .toString()
      .trim();
  git('init', '-q');
  writeFileSync(join(repo, 'file'), 'as it was');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  await world.start({ parameters: { commit: git('rev-parse', 'HEAD') } }, { ...operation(), id });
  return id;
}

describe('a request that is repeated', () => {
  it('starts a project once, though it would be refused by now', async () => {
    const once = operation();
    const started = await world.start({}, once);
    const later = new ModeRegistry([], [], new PgMachineArchive(world.pool));
    expect(await world.deskWith({ modes: later }).start(order, once)).toEqual(started);
    const refused = world.deskWith({ modes: later }).start(order, operation());
    await expect(refused).rejects.toMatchObject({ code: 'MODE_UNKNOWN' });
  });

  it('gives a command once, whatever is allowed by then', async () => {
    const { id } = await world.start();
    const once = operation();
    const given = await desk.command(id, 'PAUSE', once);
    expect(await desk.command(id, 'PAUSE', once)).toEqual(given);
    await world.set(id, `status = 'completed', state = 'DONE'`);
    expect(await desk.command(id, 'PAUSE', once)).toEqual(given);
    expect(await world.signals(id)).toHaveLength(1);
  });

  it('decides a gate once, though the project has come to the same gate again', async () => {
    const { id } = await world.start();
    const once = operation();
    const doubts = () => desk.decide(id, 'go', { decision: 'again', answers: { why: '\u0001' } }, once);
    const decided = await doubts();
    await world.drive(id, obeying());
    expect(await desk.decide(id, 'go', { decision: 'again' }, operation())).toEqual(decided);
    expect(await doubts()).toEqual(decided);
    expect(await world.signals(id)).toMatchObject([{ visit: 1 }, { visit: 2 }]);
    expect(await world.events(id, 'gate.decided')).toHaveLength(2);
  });

  it('decides a gate once, though the gate is not open any more', async () => {
    const { id } = await world.start();
    const once = operation();
    const decided = await desk.decide(id, 'go', { decision: 'yes', checkpoint: 1 }, once);
    await world.drive(id, obeying());
    expect(await desk.decide(id, 'go', { decision: 'yes', checkpoint: 1 }, once)).toEqual(decided);
    await expect(desk.decide(id, 'go', { decision: 'yes' }, operation())).rejects.toMatchObject({
      code: 'GATE_NOT_OPEN',
    });
    expect(await world.signals(id)).toHaveLength(1);
  });

  it('is told from another one that quotes its id', async () => {
    const { id } = await world.start();
    const [one, other] = [operation(), operation()];
    await desk.decide(id, 'go', { decision: 'again', feedback: `"id":"${other.id}"`, answers: { id: other.id } }, one);
    await world.drive(id, obeying());
    await desk.decide(id, 'go', { decision: 'yes' }, other);
    expect(await world.signals(id)).toMatchObject([{ decision: 'again' }, { decision: 'yes' }]);
  });

  it('restores once, though the project has gone on since, and discards nothing that was said to it', async () => {
    const { id } = await world.start();
    const once = operation();
    expect(await desk.restore(id, 1, once)).toMatchObject({ status: 'paused', checkpoint: { seq: 2 } });
    await desk.command(id, 'RESUME', operation());
    await world.drive(id, obeying());
    await desk.decide(id, 'go', { decision: 'yes' }, operation());
    expect(await desk.restore(id, 1, once)).toMatchObject({ status: 'waiting', checkpoint: { seq: 3 } });
    await world.drive(id, obeying());
    // At work it may not be restored any more: that this operation has done it long ago is no reason to be refused.
    expect(await desk.restore(id, 1, once)).toMatchObject({ state: 'WORKING', checkpoint: { seq: 4 } });
    expect(await world.events(id, 'checkpoint.restored')).toMatchObject([{ as: 2, id: once.id }]);
    expect(await world.events(id, 'signal.noted')).toEqual([]);
  });

  it('restores again as another operation', async () => {
    const { id } = await world.start();
    await desk.restore(id, 1, operation());
    await desk.restore(id, 1, operation());
    expect(await version(id)).toBe(3);
  });

  it('at the same time is done once, and answered alike', async () => {
    const { id } = await world.start();
    const [decides, restores, commands] = [operation(), operation(), operation()];
    const decided = await atOnce(() => desk.decide(id, 'go', { decision: 'again' }, decides));
    expect(new Set(decided.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await world.signals(id)).toHaveLength(1);
    expect(await world.events(id, 'gate.decided')).toHaveLength(1);
    await atOnce(() => desk.restore(id, 1, restores));
    expect(await version(id)).toBe(2);
    expect(await world.events(id, 'checkpoint.restored')).toHaveLength(1);
    await atOnce(() => desk.command(id, 'RESUME', commands));
    expect(await world.events(id, 'command.received')).toHaveLength(1);
  });

  it('forks once, and leaves the files of the live fork alone', async () => {
    const origin = await withFiles();
    const once = operation();
    const [fork] = await atOnce(() => desk.fork(origin, 1, once));
    const file = join(world.folder, once.id, 'file');
    expect(readFileSync(file, 'utf8')).toBe('as it was');
    writeFileSync(file, 'work under way');
    expect(await desk.fork(origin, 1, once)).toEqual(fork);
    expect(readFileSync(file, 'utf8')).toBe('work under way');
  });

  it('forks without what was told of the origin: the fork tells of its own completion', async () => {
    const { id } = await world.start();
    await world.drive(id, ({ snapshot }) => ({ ...snapshot, counters: withCompletion({ rounds: 1 }) }));
    const fork = operation();
    await desk.fork(id, 2, fork);
    let begun: unknown;
    await world.drive(fork.id, ({ snapshot }) => {
      begun = snapshot.counters;
      return snapshot;
    });
    expect(begun).toEqual({ rounds: 1 });
  });
});

describe('a database whose answer does not arrive', () => {
  const unknown = { name: 'WorldError', code: 'ANSWER_LOST' };

  it('is asked whether it was done', async () => {
    const deaf = world.deskWith({ pool: deafTo('COMMIT', world.pool, 'back') });
    const [starts, forks] = [operation(), operation()];
    expect(await deaf.start(order, starts)).toMatchObject({ id: starts.id, status: 'waiting' });
    expect(await deaf.fork(starts.id, 1, forks)).toMatchObject({ id: forks.id });
    expect(await deaf.decide(starts.id, 'go', { decision: 'yes' }, operation())).toMatchObject({ decision: 'yes' });
    expect(await world.signals(starts.id)).toHaveLength(1);
  });

  it('leaves no files of a fork that was not made; asked again, it is made', async () => {
    const [origin, forks] = [await withFiles(), operation()];
    const deaf = world.deskWith({ pool: deafTo('INSERT INTO checkpoint', world.pool, 'back') });
    await expect(deaf.fork(origin, 1, forks)).rejects.toMatchObject({ name: 'WorldError' });
    expect(existsSync(join(world.folder, forks.id))).toBe(false);
    expect(await desk.fork(origin, 1, forks)).toMatchObject({ id: forks.id });
    expect(existsSync(join(world.folder, forks.id, 'file'))).toBe(true);
  });

  it('leaves it open whether it was done, when it cannot be asked; the same operation finds it', async () => {
    const away = () => world.deskWith({ pool: deafTo('COMMIT', world.pool, 'away') });
    const [starts, decides] = [operation(), operation()];
    await expect(away().start(order, starts)).rejects.toMatchObject(unknown);
    const { id } = await desk.start(order, starts);
    await expect(away().decide(id, 'go', { decision: 'yes' }, decides)).rejects.toMatchObject(unknown);
    await desk.decide(id, 'go', { decision: 'yes' }, decides);
    expect(await world.signals(id)).toHaveLength(1);
  });

  it('refuses nothing that may have been done before, when it cannot be asked', async () => {
    const { id } = await world.start();
    const refused = { gate: 'closed', decision: { decision: 'yes' } };
    const query = (sql: string, values?: unknown[]): Promise<unknown> =>
      sql.includes('FROM signal')
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : world.pool.query(sql, values);
    const blind = world.deskWith({ pool: { query } as unknown as Database });
    await expect(desk.decide(id, refused.gate, refused.decision, operation())).rejects.toThrow(UserError);
    await expect(blind.decide(id, refused.gate, refused.decision, operation())).rejects.toMatchObject({
      name: 'WorldError',
      code: 'STORE_AWAY',
    });
  });

  it('leaves undone what was not done', async () => {
    const { id } = await world.start();
    const deaf = world.deskWith({ pool: deafTo('FOR UPDATE', world.pool, 'back') });
    await expect(deaf.decide(id, 'go', { decision: 'yes' }, operation())).rejects.toMatchObject(unknown);
    expect(await world.signals(id)).toEqual([]);
  });

  it('never sounds as if nothing was done, when it goes away after it was', async () => {
    const { id } = await world.start();
    const away = vi.spyOn(world.stores.reads, 'get');
    away.mockRejectedValue(new WorldError('STORE_AWAY', 'connect ECONNREFUSED'));
    await expect(desk.start(order, operation())).rejects.toMatchObject(unknown);
    await expect(desk.fork(id, 1, operation())).rejects.toMatchObject(unknown);
    await expect(desk.restore(id, 1, operation())).rejects.toMatchObject(unknown);
    away.mockRestore();
    expect(await version(id)).toBe(2);
  });
});

describe('what cannot be done is refused with the way out', () => {
  it('to decide by what a gate does not offer', async () => {
    const { id } = await world.start();
    await expect(desk.decide(id, 'go', { decision: 'maybe' }, operation())).rejects.toMatchObject({
      code: 'DECISION_UNKNOWN',
      message: expect.stringContaining('yes, again') as string,
      details: { options: ['yes', 'again'] },
    });
    await expect(desk.decide(id, 'go', { decision: 'constructor' }, operation())).rejects.toMatchObject({
      code: 'DECISION_UNKNOWN',
    });
    expect(await world.signals(id)).toEqual([]);
  });

  it('to start without the repository that a mode works on', async () => {
    await expect(world.start({ mode: 'on-repository' })).rejects.toMatchObject({
      code: 'REPO_REQUIRED',
      message: expect.stringContaining('repo.path') as string,
    });
  });

  it('to decide a step that failed or a bad checkpoint', async () => {
    const { id } = await world.start();
    const decide = (gate: string) => desk.decide(id, gate, { decision: 'yes' }, operation());
    await world.set(id, `status = 'blocked', waiting = $2`, '{"kind":"step-failed","code":"X","message":"y"}');
    await expect(decide('failed-step')).rejects.toMatchObject({
      code: 'GATE_NOT_OPEN',
      message: expect.stringContaining(`POST /v1/projects/${id}/commands`) as string,
    });
    await world.set(id, 'waiting = $2', '{"kind":"checkpoint","seq":1,"reason":"z"}');
    await expect(decide('bad-checkpoint')).rejects.toMatchObject({
      code: 'GATE_NOT_OPEN',
      message: expect.stringContaining('/restore') as string,
    });
    expect(await world.signals(id)).toEqual([]);
  });

  it('to fork a child', async () => {
    const [parent, child] = [await world.start(), await world.start()];
    await world.set(child.id, `parent_id = $2, parent_key = 'a', parent_visit = 1`, parent.id);
    await expect(desk.fork(child.id, 1, operation())).rejects.toMatchObject({
      code: 'PROJECT_IS_CHILD',
      message: expect.stringContaining(parent.name) as string,
    });
  });

  it('to fork a link at which the project was at its end', async () => {
    const { id } = await world.start();
    await world.drive(id, ({ snapshot }) => ({ ...snapshot, state: 'DONE', visit: 2, ended: true }));
    await expect(desk.fork(id, 2, operation())).rejects.toMatchObject({
      code: 'CHECKPOINT_ENDED',
      message: expect.stringContaining('Fork an earlier one') as string,
    });
    await expect(desk.restore(id, 1, operation())).rejects.toMatchObject({ code: 'PROJECT_ENDED' });
    expect((await desk.fork(id, 1, operation())).status).toBe('waiting');
  });

  it('to move a project whose machine is not to be had: the world is at fault, whatever was asked', async () => {
    const { id } = await world.start();
    await world.set(id, `machine = 'gone', status = 'paused'`);
    const unavailable = { name: 'WorldError', code: 'MACHINE_UNAVAILABLE' };
    await expect(desk.command(id, 'ABORT', operation())).rejects.toMatchObject(unavailable);
    await expect(desk.restore(id, 1, operation())).rejects.toMatchObject(unavailable);
    await expect(desk.fork(id, 1, operation())).rejects.toMatchObject(unavailable);
  });
});
