import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gate, Project } from '#contracts';
import { openPool } from '#persistence';
import { eventually, freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { Api, grantKey } from '../harness/api.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';
import { type Damage, DAMAGES, forgery } from '../harness/vandal.js';

const QUICK = { rounds: 1, width: 3, workMs: 0, coolMs: 20 };

let database: FreshDatabase;
let folder: TempFolder;
let pool: pg.Pool;
let service: ServiceProcess;
let api: Api;

async function serve(env: Record<string, string>): Promise<void> {
  const settings = { dataDir: folder.path, databaseUrl: database.url, env: { QRALPH_LOG_LEVEL: 'info', ...env } };
  service = await startProcess({ role: 'orchestrator' }, settings);
  api = new Api(service.url ?? '', await grantKey(pool));
}

beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('corruption')];
  pool = openPool({ url: database.url, max: 2, name: 'vandal', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
  await folder.remove();
});

async function atGate(): Promise<Project> {
  const { id } = await api.startDrill({ parameters: QUICK });
  return api.untilStatus(id, 'waiting');
}

const damaged = (damage: Damage, { id }: Project, seq: number): Promise<number[]> => damage.harm(pool, id, seq);
const restore = (id: string, seq: number): string => `/v1/projects/${id}/checkpoints/${String(seq)}/restore`;

async function isNamedAndQuarantined({ id }: Project, damage: Damage, bad: readonly number[]): Promise<void> {
  const verdict = await api.verify(id);
  expect(verdict).toMatchObject({ valid: false, firstBad: { seq: bad[0] } });
  expect('firstBad' in verdict && verdict.firstBad.reason).toMatch(damage.reason);
  const links = await api.checkpoints(id);
  const quarantined = links.filter((link) => link.quarantine !== null).map((link) => link.seq);
  expect(quarantined.sort((a, b) => a - b)).toEqual(damage.isGone ? [] : bad);
  for (const seq of bad) {
    const shown = await api.call('GET', `/v1/projects/${id}/checkpoints/${String(seq)}`);
    expect(shown.status).toBe(damage.isGone ? 404 : 200);
    const refused = await api.refusal('POST', restore(id, seq));
    expect(refused.code).toBe(damage.isGone ? 'CHECKPOINT_NOT_FOUND' : 'CHECKPOINT_CORRUPT');
    const told = (await api.events(id)).filter(({ type }) => type === 'checkpoint.quarantined');
    expect(told.map(({ data }) => data['seq'])).toContain(seq);
  }
}

/** The rule, the bad links and where it went on from, as the project's events tell it. */
const wentBack = ({ id }: Pick<Project, 'id'>) =>
  eventually('the rule brings it back', async () => {
    const told = (await api.events(id)).find(({ type }) => type === 'checkpoint.restored');
    return told?.data as { rule: string; to: number; bad: { seq: number; reason: string }[] } | undefined;
  });

async function endsFromTheGate(id: string): Promise<void> {
  await api.until(id, 'is at the gate again', (one) => one.status === 'waiting' && one.waitingFor?.kind === 'gate');
  await api.decide(id, 'approve');
  await api.untilStatus(id, 'completed');
}

describe('a bad checkpoint, with sealing and the rule last-good', () => {
  beforeAll(() => serve({ QRALPH_CHECKPOINT_KEY: 'a key that no database holds' }));
  afterAll(() => service.kill('SIGTERM'));

  it.each(DAMAGES)('in the middle of the chain: $name', async (damage) => {
    const project = await atGate();
    const middle = (await api.checkpoints(project.id)).find((link) => link.state === 'COOLING')?.seq ?? 0;
    const bad = await damaged(damage, project, middle);
    await isNamedAndQuarantined(project, damage, bad);
    await api.decide(project.id, 'approve');
    if (bad.includes(project.checkpoint.seq)) {
      await wentBack(project);
      await endsFromTheGate(project.id);
    } else await api.untilStatus(project.id, 'completed');
  });

  it.each(DAMAGES)('as the newest: $name', async (damage) => {
    const project = await atGate();
    const { id, checkpoint } = project;
    const bad = await damaged(damage, project, checkpoint.seq);
    await isNamedAndQuarantined(project, damage, bad);
    await api.decide(id, 'approve');
    const { rule, to, bad: named } = await wentBack(project);
    const lastGood = Array.from({ length: checkpoint.seq }, (_, index) => index + 1).findLast((n) => !bad.includes(n));
    expect([rule, to, named.map(({ seq }) => seq)]).toEqual(['last-good', lastGood, bad]);
    await endsFromTheGate(id);
  });

  it('is found when a paused project is resumed, though nobody verified', async () => {
    const project = await atGate();
    await api.command(project.id, 'PAUSE');
    const { checkpoint } = await api.untilStatus(project.id, 'paused');
    await pool.query('DELETE FROM checkpoint WHERE project_id = $1 AND seq = $2', [project.id, checkpoint.seq]);
    await api.command(project.id, 'RESUME');
    expect(await wentBack(project)).toMatchObject({ rule: 'last-good', to: checkpoint.seq - 1 });
    await endsFromTheGate(project.id);
  });

  it('does not keep a project from being aborted', async () => {
    const project = await atGate();
    await pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1 AND seq > 2`, [project.id]);
    await api.command(project.id, 'ABORT');
    await api.untilStatus(project.id, 'aborted');
    expect(await wentBack(project)).toMatchObject({ to: 2 });
  });

  it('loses no command that was given to it, though what is good waits at a gate', async () => {
    const { id } = await atGate();
    await api.command(id, 'PAUSE');
    const { checkpoint } = await api.untilStatus(id, 'paused');
    await pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1 AND seq = $2`, [id, checkpoint.seq]);
    await api.command(id, 'ABORT');
    await api.untilStatus(id, 'aborted');
    expect(await wentBack({ id })).toMatchObject({ to: checkpoint.seq - 1 });
  });

  it('is found by the next worker after a kill', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, workMs: 60_000 } });
    const { checkpoint } = await api.until(id, 'splits', (project) => project.waitingFor?.kind === 'children');
    await service.kill();
    await pool.query(`UPDATE checkpoint SET body = body || ' ' WHERE project_id = $1 AND seq = $2`, [
      id,
      checkpoint.seq,
    ]);
    await pool.query('UPDATE project SET runnable = true WHERE id = $1', [id]);
    await serve({ QRALPH_CHECKPOINT_KEY: 'a key that no database holds' });
    expect(await wentBack({ id })).toMatchObject({ rule: 'last-good', bad: [{ seq: checkpoint.seq }] });
    await api.command(id, 'ABORT');
    await api.untilStatus(id, 'aborted');
  });

  it('blocks a project that has no good one left, and says so', async () => {
    const { id } = await atGate();
    await pool.query(`UPDATE checkpoint SET body = '{}' WHERE project_id = $1`, [id]);
    await api.decide(id, 'approve');
    await api.until(
      id,
      'is held',
      ({ status, waitingFor }) => status === 'blocked' && waitingFor?.kind === 'checkpoint',
    );
    const refused = await api.refusal('POST', `/v1/projects/${id}/commands`, { command: 'ABORT' });
    expect(refused).toMatchObject({ status: 409, code: 'CHECKPOINT_CORRUPT' });
  });
});

describe('a bad checkpoint, without sealing and with the rule hold', () => {
  beforeAll(() => serve({ QRALPH_ON_CORRUPT: 'hold' }));
  afterAll(() => service.kill('SIGTERM'));

  const held = (id: string): Promise<Project> =>
    api.until(id, 'is held', ({ status, waitingFor }) => status === 'blocked' && waitingFor?.kind === 'checkpoint');

  it('is the forged one, not the honest one after it', async () => {
    const project = await atGate();
    const bad = await damaged(forgery, project, 4);
    expect((await api.refusal('POST', restore(project.id, 4))).code).toBe('CHECKPOINT_CORRUPT');
    await isNamedAndQuarantined(project, forgery, bad);
    await api.decide(project.id, 'approve');
    await api.untilStatus(project.id, 'completed');
  });

  it('holds the project until a person restores a good one', async () => {
    const { id, checkpoint } = await atGate();
    await pool.query(`UPDATE checkpoint SET body = '{}' WHERE project_id = $1 AND seq = $2`, [id, checkpoint.seq]);
    const refused = await api.refusal('POST', `/v1/projects/${id}/gates/approval`, { decision: 'approve' });
    expect(refused).toMatchObject({ status: 409, code: 'CHECKPOINT_CORRUPT', details: { seq: checkpoint.seq } });
    expect((await held(id)).waitingFor).toMatchObject({ seq: checkpoint.seq });
    const waits = await api.must<{ data: Gate[] }>('GET', '/v1/gates?limit=100');
    expect(waits.data.find(({ project }) => project.id === id)).toMatchObject({
      kind: 'checkpoint',
      options: ['restore'],
    });
    const undecided = await api.refusal('POST', `/v1/projects/${id}/gates/bad-checkpoint`, { decision: 'restore' });
    expect(undecided).toMatchObject({ status: 409, code: 'GATE_NOT_OPEN', details: { kind: 'checkpoint' } });
    expect((await api.refusal('POST', restore(id, checkpoint.seq))).code).toBe('CHECKPOINT_CORRUPT');
    const back = await api.must<Project>('POST', restore(id, checkpoint.seq - 1));
    expect(back).toMatchObject({ status: 'paused', state: 'ANNOUNCING' });
    await api.command(id, 'RESUME');
    await endsFromTheGate(id);
  });

  it('holds a project that a timer wakes', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, coolMs: 1_500 } });
    const { checkpoint } = await api.until(id, 'cools', (project) => project.state === 'COOLING');
    await pool.query('DELETE FROM checkpoint WHERE project_id = $1 AND seq = $2', [id, checkpoint.seq]);
    await held(id);
    expect((await api.events(id)).at(-1)).toMatchObject({ type: 'project.held', data: { seq: checkpoint.seq } });
    await api.must('POST', restore(id, checkpoint.seq - 1));
    await api.command(id, 'RESUME');
    await endsFromTheGate(id);
  });
});
