import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTurn, eventually, type ModelServer, startModelServer } from '#testing';
import { DemoRepository } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { ErrandServer } from '../e2e/errand-helpers.js';
import { gitIn, GOOD_WORK, PROVIDER_KEY } from '../e2e/errand-world.js';
import { type Field, openField } from '../harness/field.js';

describe('a worker that is stopped past its lease and then continued', () => {
  let field: Field;
  beforeAll(async () => {
    field = await openField({ env: { QRALPH_WORKER: 'off', QRALPH_LEASE_MS: '1000' } });
  });
  afterAll(() => field.close());

  it('finds its projects taken over, changes nothing, and is on record for trying', async () => {
    const { api } = await field.orchestrator();
    const stopped = await field.process({ role: 'worker' });
    const drill = { parameters: { rounds: 2, width: 3, workMs: 1_000, coolMs: 50 }, gates: { approval: false } };
    const projects = await Promise.all([1, 2].map(() => api.startDrill(drill)));
    const effects = async (): Promise<number> =>
      (await field.pool.query(`SELECT 1 FROM effect WHERE status = 'started'`)).rowCount ?? 0;
    await eventually('tasks are under way', async () => (await effects()) >= 4);
    stopped.child.kill('SIGSTOP');
    await field.process({ role: 'worker' });
    for (const { id } of projects) {
      await eventually('somebody else takes over', async () => {
        const sql = `SELECT 1 FROM event e JOIN project p ON p.id = e.project_id
          WHERE (p.id = $1 OR p.parent_id = $1) AND type = 'project.taken-over'`;
        return (await field.pool.query(sql, [id])).rowCount !== 0;
      });
    }
    stopped.child.kill('SIGCONT');
    for (const { id } of projects) await api.untilStatus(id, 'completed', 40_000);
    await eventually('its late writes are on record', async () => {
      const { rows } = await field.pool.query<{ worker: string }>('SELECT DISTINCT worker FROM stale_write');
      return rows.some(({ worker }) => worker.includes(`-${String(stopped.pid)}-`));
    });
    expect(await field.broken()).toEqual([]);
  });
});

describe('a worker that is stopped in the middle of an errand, past its lease, and then continued', () => {
  let field: Field;
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer([], { key: PROVIDER_KEY });
    const env = { ANTHROPIC_API_KEY: PROVIDER_KEY, ANTHROPIC_BASE_URL: server.url };
    field = await openField({ env: { QRALPH_WORKER: 'off', QRALPH_LEASE_MS: '1000', ...env } });
  });
  afterAll(async () => {
    await field.close();
    await server.stop();
  });

  it.each(['call of the model', 'command'])('in a %s, leaves the work of its successor alone', async (what) => {
    const repo = join(field.dataDir, `repository-${what.replaceAll(' ', '-')}`);
    await new DemoRepository(repo, process.env['PATH'] ?? '').make();
    const slow = { name: 'run', input: { command: 'echo begun >> lines.txt; sleep 3; echo ended >> lines.txt' } };
    let runs = 0;
    new ErrandServer(server).use((call) => {
      if (call.turn !== 2) return byTurn(GOOD_WORK)(call);
      runs += 1;
      return { toolCalls: [slow] };
    });
    const { api, ...orchestrator } = await field.orchestrator({ QRALPH_REPO_ROOTS: field.dataDir });
    const stopped = await field.process({ role: 'worker' });
    const order = { request: 'Add dark mode toggle', mode: 'errand', repo: { path: repo } };
    const { id } = await api.must<{ id: string }>('POST', '/v1/projects', order);
    const lines = join(field.dataDir, 'worktrees', id, 'lines.txt');
    await eventually('it is that far', () => (what === 'command' ? existsSync(lines) : runs === 1));
    stopped.child.kill('SIGSTOP');
    const successor = await field.process({ role: 'worker' });
    await eventually('another takes over', async () =>
      (await api.events(id)).some(({ type }) => type === 'project.taken-over'),
    );
    stopped.child.kill('SIGCONT');
    const { workspace } = await api.untilStatus(id, 'completed', 60_000);
    const branch = workspace?.branch ?? '';
    expect(await gitIn(repo, 'show', `${branch}:lines.txt`)).toBe('begun\nended');
    expect(await gitIn(repo, 'ls-tree', '--name-only', branch)).toContain('theme.test.mjs');
    for (const one of [successor, stopped, orchestrator]) await one.kill('SIGTERM');
    expect(await field.broken()).toEqual([]);
  });
});
