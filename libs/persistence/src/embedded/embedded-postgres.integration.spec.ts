import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, spawnSource, tempFolder, type TempFolder } from '#testing';
import { startEmbeddedPostgres, stopLeftoverPostgres, type EmbeddedPostgres } from './index.js';
import { liveProcess, postgresProcessesOf } from './process-table.js';

let folder: TempFolder;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = tempFolder('embedded');
});

afterEach(async () => {
  if (child) await killHard(child);
  child = undefined;
  await stopLeftoverPostgres(folder.path);
  await folder.remove();
});

const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir: folder.path, log: () => {} });
const clusterFolder = () => join(folder.path, 'postgres');
const postmasterPid = () => Number(readFileSync(join(clusterFolder(), 'postmaster.pid'), 'utf8').split('\n')[0]);

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function killHard(victim: ChildProcess): Promise<void> {
  if (victim.exitCode !== null || victim.signalCode !== null) return;
  victim.kill('SIGKILL');
  await once(victim, 'exit');
}

/** The address that another process of this service, holding the folder, has printed. */
async function startInChild(): Promise<string> {
  child = spawnSource(new URL('./fixtures/start-and-wait.ts', import.meta.url), [folder.path]);
  let output = '';
  let complaints = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await eventually('the child has started Postgres', () => {
    if (child?.exitCode !== null) throw new Error(complaints);
    return output.endsWith('\n');
  });
  return (JSON.parse(output) as { url: string }).url;
}

describe('embedded Postgres', () => {
  it('keeps what was written across stop and start, with fsync on, and leaves no process', async () => {
    const first = await start();
    expect(first.adopted).toBe(false);
    await ask(first.url, 'CREATE TABLE note AS SELECT 1 AS number');
    await first.stop();
    expect(postgresProcessesOf(clusterFolder())).toEqual([]);

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second.url, 'SELECT number FROM note')).toEqual([{ number: 1 }]);
    expect(await ask(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await second.stop();
  });

  it('lets nobody in without the password, which only its owner may read', async () => {
    const server = await start();
    const withoutPassword = new URL(server.url);
    withoutPassword.password = 'guess';
    await expect(ask(withoutPassword.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(folder.path, 'postgres.password')).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('is adopted after kill -9 of the process that started it', async () => {
    const url = await startInChild();
    const pid = postmasterPid();
    await ask(url, 'CREATE TABLE note AS SELECT 1 AS number');
    if (child) await killHard(child);
    expect(liveProcess(pid)).toBeDefined();

    const server = await start();
    expect(server).toMatchObject({ adopted: true, url });
    expect(postmasterPid()).toBe(pid);
    expect(await ask(server.url, 'SELECT number FROM note')).toEqual([{ number: 1 }]);
    await server.stop();
    expect(postgresProcessesOf(clusterFolder())).toEqual([]);
  });

  it('comes back on the same address when Postgres itself is killed', async () => {
    const server = await start();
    await ask(server.url, 'CREATE TABLE note AS SELECT 1 AS number');
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    const rows = await eventually('Postgres is back', () =>
      liveProcess(pid) ? undefined : ask(server.url, 'SELECT number FROM note').catch(() => undefined),
    );
    expect(rows).toEqual([{ number: 1 }]);
    expect(postmasterPid()).not.toBe(pid);
    await server.stop();
    expect(postgresProcessesOf(clusterFolder())).toEqual([]);
  });

  it('starts anew when process and Postgres were both killed', async () => {
    await ask(await startInChild(), 'CREATE TABLE note AS SELECT 1 AS number');
    if (child) await killHard(child);
    process.kill(postmasterPid(), 'SIGKILL');
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await ask(server.url, 'SELECT number FROM note')).toEqual([{ number: 1 }]);
    await server.stop();
  });

  it('does not hear the terminal: it leads a session of its own', async () => {
    const server = await start();
    const stat = readFileSync(`/proc/${postmasterPid()}/stat`, 'utf8');
    const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect([Number(group), Number(session)]).toEqual([postmasterPid(), postmasterPid()]);
    await server.stop();
  });

  it('is not kept out by a pid file whose pid is another program now', async () => {
    await (await start()).stop();
    writeFileSync(join(clusterFolder(), 'postmaster.pid'), `${process.pid}\n${clusterFolder()}\n1\n5432\n`);
    const server = await start();
    expect(server.adopted).toBe(false);
    await server.stop();
  });

  it('tells a second start who holds the folder', async () => {
    await startInChild();
    await expect(start()).rejects.toMatchObject({
      code: 'DATA_DIR_HELD',
      message: expect.stringMatching(new RegExp(`process ${child?.pid} since .*start-and-wait`)) as string,
      details: { pid: child?.pid },
    });
  });
});
