import { access } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewApiKey, Problem, Project } from '#contracts';
import { startEmbeddedPostgres } from '#persistence';
import { eventually, tempFolder, type TempFolder } from '#testing';
import { Api } from '../harness/api.js';
import { processesBelow } from '../harness/processes.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';

const QUICK = { rounds: 1, width: 2, workMs: 20, coolMs: 50 };

let folder: TempFolder;
let service: ServiceProcess;
let api: Api;

async function start(): Promise<void> {
  service = await startProcess({ role: 'orchestrator' }, { dataDir: folder.path });
  api = await Api.ofDataDir(service.url, folder.path);
}

beforeAll(async () => {
  folder = tempFolder('walk');
  await start();
});

afterAll(async () => {
  await service.kill('SIGTERM');
  await folder.remove();
});

const atGate = (id: string): Promise<Project> => api.untilStatus(id, 'waiting');

describe('a service on a fresh data folder', () => {
  it('streams a drill to its gate and, after a reconnect, to its end without loss or repeat', async () => {
    const { id, name, status } = await api.startDrill({ parameters: QUICK });
    expect([name, status]).toEqual(['001-drill-engine', 'running']);
    const first = await api.stream(id);
    await eventually('the gate opens', () => first.messages.some(({ event }) => event === 'gate.opened'));
    first.leave();
    await first.ended;
    const seen = Math.ceil(first.ids.length / 2);
    const second = await api.stream(id, { 'last-event-id': String(seen) });
    const gates = await api.must<{ data: { name: string }[] }>('GET', `/v1/projects/${name}/gates`);
    expect(gates.data.map((gate) => gate.name)).toEqual(['approval']);
    await api.decide(id, 'approve');
    await second.ended;
    expect(second.messages.at(-1)?.event).toBe('project.completed');
    const all = [...first.ids.slice(0, seen), ...second.ids];
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
    expect(await api.project(id)).toMatchObject({ state: 'FINISHED', status: 'completed', waitingFor: null });
  });

  it('lists, reads and verifies the checkpoints', async () => {
    const { id } = await api.startDrill({ parameters: QUICK, gates: { approval: false } });
    const { checkpoint } = await api.untilStatus(id, 'completed');
    const links = await api.checkpoints(id);
    expect(links.map((link) => link.seq)).toEqual(Array.from({ length: checkpoint.seq }, (_, n) => checkpoint.seq - n));
    expect(links[0]).toMatchObject({ state: 'FINISHED', checksum: checkpoint.checksum, quarantine: null });
    expect((await api.checkpoint(id, 1)).snapshot).toMatchObject({ state: 'PREPARING', context: { round: 1 } });
    expect(await api.verify(id)).toEqual({ valid: true, checked: checkpoint.seq });
    const last = `/v1/projects/${id}/checkpoints/${String(checkpoint.seq)}`;
    expect(await api.refusal('POST', `${last}/restore`)).toMatchObject({ status: 409, code: 'PROJECT_ENDED' });
    expect(await api.refusal('POST', `${last}/fork`)).toMatchObject({ status: 422, code: 'CHECKPOINT_ENDED' });
  });

  it('pauses at a safe point and resumes', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, workMs: 700 }, gates: { approval: false } });
    const { waitingFor } = await api.until(id, 'splits', (project) => project.waitingFor?.kind === 'children');
    const [task] = waitingFor?.['children'] as { id: string; key: string; status: string }[];
    expect((await api.project(task?.id ?? '')).machine).toBe('drill-task');
    const isPart = await api.refusal('POST', `/v1/projects/${task?.id ?? ''}/checkpoints/1/fork`);
    expect(isPart).toMatchObject({ status: 409, code: 'PROJECT_IS_CHILD', details: { parent: { id } } });
    await api.command(id, 'PAUSE');
    await api.untilStatus(id, 'paused');
    const refused = await api.refusal('POST', `/v1/projects/${id}/commands`, { command: 'PAUSE' });
    expect(refused).toMatchObject({ status: 409, code: 'COMMAND_NOT_ALLOWED' });
    expect(refused.details).toMatchObject({ allowed: ['RESUME', 'ABORT', 'STATUS'] });
    await api.command(id, 'RESUME');
    await api.untilStatus(id, 'completed');
  });

  it('aborts in the middle of an effect, in time and with no process left', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, workMs: 30_000 } });
    const working = () => processesBelow(service.pid).filter(({ command }) => command.includes('sleep'));
    await eventually('both tasks sleep', () => working().length >= 2);
    const before = performance.now();
    await api.command(id, 'ABORT');
    await api.untilStatus(id, 'aborted', 10_000);
    await eventually('no task is left', () => working().length === 0, { deadlineMs: 8_000 });
    expect(performance.now() - before).toBeLessThan(10_000);
    expect((await api.events(id)).map(({ type }) => type)).toContain('project.aborted');
  });

  it('skips the cooling', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, coolMs: 3_600_000 }, gates: { approval: false } });
    await api.until(id, 'cools', (project) => project.state === 'COOLING');
    await api.command(id, 'SKIP');
    await api.untilStatus(id, 'completed');
  });

  it('goes back to an earlier checkpoint while paused, and from there to the end', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, rounds: 2 } });
    await atGate(id);
    const target = (await api.checkpoints(id)).findLast((link) => link.state === 'CHECKING');
    const restore = `/v1/projects/${id}/checkpoints/${String(target?.seq)}/restore`;
    await api.command(id, 'PAUSE');
    await api.untilStatus(id, 'paused');
    const restored = await api.must<Project>('POST', restore);
    expect(restored).toMatchObject({ state: 'CHECKING', status: 'paused' });
    await api.command(id, 'RESUME');
    await atGate(id);
    await api.decide(id, 'approve');
    await api.untilStatus(id, 'completed');
    const told = (await api.events(id)).find(({ type }) => type === 'checkpoint.restored');
    expect(told?.data).toMatchObject({ to: target?.seq, rule: 'asked-by-a-person' });
    expect(await api.verify(id)).toMatchObject({ valid: true });
  });

  it('goes back to every state of the past, files and all, and comes to the gate again', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, rounds: 2 } });
    await atGate(id);
    for (const state of ['PREPARING', 'SPLITTING', 'RECORDING', 'CHECKING', 'COOLING', 'ANNOUNCING', 'APPROVAL']) {
      const seq = (await api.checkpoints(id)).find((link) => link.state === state)?.seq;
      await api.must('POST', `/v1/projects/${id}/checkpoints/${String(seq)}/restore`);
      await api.command(id, 'RESUME');
      await api.until(id, `rests after ${state}`, ({ status }) => status === 'waiting' || status === 'blocked');
      expect([state, (await api.project(id)).state]).toEqual([state, 'APPROVAL']);
    }
    await api.decide(id, 'approve');
    await api.untilStatus(id, 'completed');
  });

  it('leaves no child behind when it goes back from the middle of a fan-out', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, workMs: 1_500 }, gates: { approval: false } });
    await api.until(id, 'splits', (project) => project.waitingFor?.kind === 'children');
    await api.command(id, 'PAUSE');
    await api.untilStatus(id, 'paused');
    const restore = `/v1/projects/${id}/checkpoints/1/restore`;
    expect(await api.refusal('POST', restore)).toMatchObject({ status: 409, code: 'PROJECT_NOT_AT_REST' });
    await eventually('the tasks rest', async () => (await api.call('POST', restore)).status === 202);
    await api.command(id, 'RESUME');
    await api.untilStatus(id, 'completed');
    await eventually('every task has ended', async () => {
      const tasks = (await api.text('/metrics'))
        .split('\n')
        .filter((line) => line.startsWith('qralph_projects{machine="drill-task"'));
      return tasks.every((line) => /status="(completed|aborted)"/.test(line) || line.endsWith(' 0'));
    });
  });

  it('forks a project that runs to its own end in its own repository', async () => {
    const { id } = await api.startDrill({ parameters: QUICK });
    const { checkpoint } = await atGate(id);
    const fork = await api.must<Project>('POST', `/v1/projects/${id}/checkpoints/${String(checkpoint.seq)}/fork`);
    expect(fork.id).not.toBe(id);
    await atGate(fork.id);
    await api.decide(fork.id, 'approve');
    await api.untilStatus(fork.id, 'completed');
    await access(join(folder.path, 'scratch', fork.id, '.git'));
    expect((await api.project(id)).status).toBe('waiting');
    await api.decide(id, 'reject');
    await api.untilStatus(id, 'aborted');
  });

  it('honours an idempotency key', async () => {
    const headers = { 'idempotency-key': 'walk-once' };
    const drill = { parameters: QUICK, gates: { approval: false } };
    const [one, two] = [await api.startDrill(drill, headers), await api.startDrill(drill, headers)];
    expect(two.id).toBe(one.id);
    const other = { request: 'something else', mode: 'drill' };
    const refused = await api.refusal('POST', '/v1/projects', other, headers);
    expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    await api.untilStatus(one.id, 'completed');
  });

  it('refuses a mode that is not there yet', async () => {
    const body = { request: 'add a dark mode', mode: 'thread', repo: { path: folder.path } };
    expect(await api.refusal('POST', '/v1/projects', body)).toMatchObject({ status: 422, code: 'MODE_NOT_AVAILABLE' });
  });

  it('lets no service key pass a human gate', async () => {
    const { id } = await api.startDrill({ parameters: QUICK });
    await atGate(id);
    const scopes = ['projects:read', 'projects:write', 'gates:decide'];
    const { key } = await api.must<NewApiKey>('POST', '/v1/api-keys', { name: 'robot', principal: 'service', scopes });
    const approve = { decision: 'approve' };
    const refused: Problem = await api.with(key).refusal('POST', `/v1/projects/${id}/gates/approval`, approve);
    expect(refused).toMatchObject({ status: 403, code: 'HUMAN_REQUIRED' });
    await api.decide(id, 'approve');
    await api.untilStatus(id, 'completed');
  });

  it('names the holder of the data folder to a second start', async () => {
    await expect(startProcess({ role: 'orchestrator' }, { dataDir: folder.path })).rejects.toThrow(
      new RegExp(`DATA_DIR_HELD[^]*${String(service.pid)}`),
    );
  });

  it('shuts down in time while a project runs, hands its leases back, and goes on after the restart', async () => {
    const { id } = await api.startDrill({ parameters: { ...QUICK, workMs: 8_000 }, gates: { approval: false } });
    await api.until(id, 'splits', (project) => project.waitingFor?.kind === 'children');
    const before = performance.now();
    expect(await service.kill('SIGTERM')).toBe('0');
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(await leases(folder.path)).toEqual([]);
    await start();
    await api.untilStatus(id, 'completed');
  });
});

/** Asks the database of a service that is not running. */
async function leases(dataDir: string): Promise<{ id: string }[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    return (await client.query<{ id: string }>('SELECT id FROM project WHERE lease_worker IS NOT NULL')).rows;
  } finally {
    await client.end();
    await postgres.stop();
  }
}
