import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Queue, createPostgresBackend } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { eventually, tempFolder, type TempFolder } from '#testing';
import { Api, grantKey } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';
import type { ServiceProcess } from '../harness/service-process.js';

describe('bad input to a real service', () => {
  let field: Field;
  let roots: TempFolder;
  let outside: TempFolder;
  let api: Api;
  let service: ServiceProcess;
  beforeAll(async () => {
    [field, roots, outside] = [await openField(), tempFolder('roots'), tempFolder('outside')];
    for (const folder of [outside.path, join(roots.path, 'repo')]) execFileSync('git', ['init', '-q', folder]);
    mkdirSync(join(roots.path, 'plain'));
    symlinkSync(outside.path, join(roots.path, 'link'));
    const orchestrator = await field.orchestrator({ QRALPH_REPO_ROOTS: roots.path });
    [service, api] = [orchestrator, orchestrator.api];
  });
  afterAll(async () => {
    await field.close();
    await Promise.all([roots.remove(), outside.remove()]);
  });

  const start = (body: unknown) => api.refusal('POST', '/v1/projects', body);
  const drill = { request: 'a drill', mode: 'drill' };
  const errand = { request: 'an errand', mode: 'errand' };

  it.each([
    ['an unknown mode', () => ({ ...drill, mode: 'nonsense' }), 422, 'MODE_UNKNOWN'],
    ['a repository outside the roots', () => ({ ...errand, repo: { path: outside.path } }), 422, 'REPO_NOT_ALLOWED'],
    [
      'a link out of the roots',
      () => ({ ...errand, repo: { path: join(roots.path, 'link') } }),
      422,
      'REPO_NOT_ALLOWED',
    ],
    ['a way out of the roots', () => ({ ...errand, repo: { path: `${roots.path}/../..` } }), 422, 'REPO_NOT_ALLOWED'],
    ['a folder that is not there', () => ({ ...errand, repo: { path: `${roots.path}/none` } }), 422, 'REPO_NOT_FOUND'],
    ['a folder without git', () => ({ ...errand, repo: { path: `${roots.path}/plain` } }), 422, 'REPO_NOT_GIT'],
    ['a relative path', () => ({ ...errand, repo: { path: 'repo' } }), 422, 'REPO_PATH_INVALID'],
    ['a huge body', () => ({ ...drill, request: 'x'.repeat(5_000_000) }), 413, 'JSON_TOO_LARGE'],
    ['NUL in a text', () => ({ ...drill, request: 'a\u0000b c' }), 400, 'TEXT_HAS_NUL'],
    ['__proto__', () => '{"request":"a drill","mode":"drill","__proto__":{"admin":true}}', 400, 'JSON_FORBIDDEN_KEY'],
    ['deep JSON', () => `${'['.repeat(500)}${']'.repeat(500)}`, 400, 'JSON_TOO_DEEP'],
    ['half a JSON', () => '{"request":', 400, 'JSON_MALFORMED'],
    [
      'a repository that the drill has no use for',
      () => ({ ...drill, repo: { path: roots.path } }),
      422,
      'OPTION_NOT_AVAILABLE',
    ],
    ['a webhook on plain http', () => ({ ...drill, webhook: { url: 'http://x' } }), 422, 'WEBHOOK_URL_REFUSED'],
    ['a parameter the drill lacks', () => ({ ...drill, parameters: { speed: 9 } }), 422, 'PARAMETER_INVALID'],
  ])('refuses %s', async (_name, body, status, code) => {
    expect(await start(body())).toMatchObject({ status, code });
  });

  it('refuses a wrong key and a missing scope', async () => {
    expect(await api.with('qr_wrong').refusal('GET', '/v1/projects')).toMatchObject({ code: 'UNAUTHENTICATED' });
    const reader = api.with(await grantKey(field.pool, { principal: 'service', scopes: ['projects:read'] }));
    expect(await reader.refusal('POST', '/v1/projects', drill)).toMatchObject({ status: 403, code: 'SCOPE_MISSING' });
  });

  it('lists what is allowed when a command is not', async () => {
    const { id } = await api.startDrill({ parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 } });
    await api.untilStatus(id, 'waiting');
    const refused = await api.refusal('POST', `/v1/projects/${id}/commands`, { command: 'RESUME' });
    expect(refused).toMatchObject({ status: 409, code: 'COMMAND_NOT_ALLOWED' });
    expect(refused.details?.['allowed']).toEqual(['PAUSE', 'ABORT', 'STATUS']);
    await api.decide(id, 'reject');
    await api.untilStatus(id, 'aborted');
  });

  it('refuses jobs that were forged straight into the queue, and goes on', async () => {
    const connection = { connectionString: field.databaseUrl };
    const queue = new Queue('qralph', { connection }, createPostgresBackend);
    const forged = [
      ['project.wake', { projectId: `'; DROP TABLE project; --` }],
      ['project.wake', { projectId: newId(), __proto__: null, extra: 'x'.repeat(1_000) }],
      ['shell.run', { command: 'rm -rf /' }],
      ['constructor', {}],
    ] as const;
    const jobs = await queue.addBulk(forged.map(([name, data]) => ({ name, data })));
    const reasons = async (): Promise<string[]> => (await queue.getFailed()).map((job) => job.failedReason);
    await eventually('the forged jobs are refused', async () => (await reasons()).length === jobs.length);
    expect((await reasons()).every((reason) => reason.startsWith('refused: '))).toBe(true);
    await queue.close();
    expect(service.log.some((line) => line.includes('refused a job'))).toBe(true);
    const { id } = await api.startDrill({
      parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 },
      gates: { approval: false },
    });
    await api.untilStatus(id, 'completed');
    expect(await field.broken()).toEqual([]);
  });
});
