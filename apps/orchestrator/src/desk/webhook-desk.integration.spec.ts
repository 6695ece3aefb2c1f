import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { type DeskWorld, obeying, openDeskWorld, operation } from './desk.fixture.js';
import { endpointOf } from './webhook-desk.js';

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
});
afterAll(() => world.close());

/** A project whose own address is told of it, and what it was told when the project began. */
const toldProject = async (): Promise<string> => (await world.start({ webhook: { url: 'http://localhost/' } })).id;
const began = { to: 'ASKING', from: null };
const atGate = { waitingFor: { kind: 'gate', gate: 'go', ask: 'Go on?' } };

/** In the order in which it happened, with where the project stood. */
async function toldOf(id: string): Promise<JsonObject[]> {
  const { rows } = await world.pool.query<{ type: string; version: number; status: string; details: string }>(
    `SELECT type, version, project_status AS status, details FROM webhook_delivery
     WHERE project_id = $1 AND endpoint_id = $2 ORDER BY version, event_seq, type`,
    [id, endpointOf(id)],
  );
  return rows.map(({ details, ...row }) => ({ ...row, ...(JSON.parse(details) as JsonObject) }));
}

describe('whoever is told of a project', () => {
  it('is told that it was restored by a person, once, and of nothing to do: it is paused', async () => {
    const id = await toldProject();
    const once = operation();
    await world.desk.restore(id, 1, once);
    await world.desk.restore(id, 1, once);
    expect(await toldOf(id)).toMatchObject([
      { type: 'project.state_changed', version: 1, ...began },
      { type: 'project.waiting', version: 1, ...atGate },
      {
        type: 'project.state_changed',
        version: 2,
        status: 'paused',
        from: 'ASKING',
        to: 'ASKING',
        cause: 'restored:1',
      },
    ]);
  });

  it('is told that it waits again, where the rule brought it back to a gate', async () => {
    const id = await toldProject();
    await world.desk.decide(id, 'go', { decision: 'yes' }, operation());
    await world.drive(id, obeying());
    await world.pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1 AND seq = 2`, [id]);
    expect(await world.parts.restore.restoreLastGood(id)).toBe(1);
    expect((await toldOf(id)).filter(({ version }) => version === 3)).toMatchObject([
      { type: 'project.state_changed', status: 'waiting', from: 'WORKING', to: 'ASKING', cause: 'restored:1' },
      { type: 'project.waiting', status: 'waiting', ...atGate },
    ]);
  });

  it('is told that it is held, once, however many workers find the bad checkpoint', async () => {
    const id = await toldProject();
    await world.pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1`, [id]);
    const found = { seq: 1, reason: 'spoilt' };
    await Promise.all([1, 2, 3].map(() => world.parts.restore.hold(id, found)));
    expect((await toldOf(id)).filter(({ type }) => type === 'project.blocked')).toMatchObject([
      { status: 'blocked', version: 1, waitingFor: { kind: 'checkpoint', seq: 1, reason: 'spoilt' } },
    ]);
  });

  it('is told of its fork, as of a project of its own, once, signed alike', async () => {
    const id = await toldProject();
    const once = operation();
    await Promise.all([1, 2, 3].map(() => world.desk.fork(id, 1, once)));
    await world.desk.fork(id, 1, once);
    expect(await toldOf(once.id)).toMatchObject([
      { type: 'project.state_changed', version: 1, status: 'waiting', ...began, cause: 'forked' },
      { type: 'project.waiting', version: 1, ...atGate },
    ]);
    expect(await toldOf(id)).toHaveLength(2);
    const secretOf = (project: string) =>
      world.pool.query('SELECT secret, url FROM webhook_endpoint WHERE project_id = $1', [project]);
    expect((await secretOf(once.id)).rows).toEqual((await secretOf(id)).rows);
  });
});
