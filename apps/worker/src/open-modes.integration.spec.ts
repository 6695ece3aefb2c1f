import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { silentTrace } from '#kernel';
import type { ModeRegistry } from '#modes';
import { type Database, openPool } from '#persistence';
import { freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { type Modes, openModes } from './open-modes.js';

let database: FreshDatabase;
let folder: TempFolder;
let pool: Database;
let opened: Modes;
let modes: ModeRegistry;
beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('modes')];
  pool = openPool({ url: database.url, max: 2, name: 'modes', onError: () => undefined });
  const config = loadConfig({ QRALPH_DATA_DIR: folder.path, PATH: '/usr/bin:/bin' });
  opened = await openModes(config, pool, { doesWork: false, trace: silentTrace, onError: () => undefined });
  ({ modes } = opened);
});
afterAll(async () => {
  await opened.close();
  await pool.end();
  await database.drop();
  await folder.remove();
});

const codeOf = (name: string): unknown => {
  try {
    return modes.mode(name).name;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('a mode', () => {
  it.each(['thread', 'ralph', 'bmad'])('%s is to come', (name) => {
    expect(codeOf(name)).toBe('MODE_NOT_AVAILABLE');
  });

  it('that nobody has heard of is unknown, and one that is there is available', () => {
    expect(codeOf('nonsense')).toBe('MODE_UNKNOWN');
    expect(codeOf('drill')).toBe('drill');
  });

  it('has its machine among those that are shown, as soon as there is one', () => {
    expect(modes.machines.map(({ mode, isAvailable }) => [mode, isAvailable])).toEqual([
      ['drill', true],
      ['errand', true],
      ['coding', true],
      ['work', true],
      ['classic', true],
    ]);
  });
});

describe('the metering proxy', () => {
  it('takes its port only where work is done: beside it others may accept projects', async () => {
    const port = await freePort();
    const config = loadConfig({ QRALPH_DATA_DIR: folder.path, PATH: '/usr/bin:/bin', QRALPH_PROXY_PORT: String(port) });
    const open = (doesWork: boolean): Promise<Modes> =>
      openModes(config, pool, { doesWork, trace: silentTrace, onError: () => undefined });
    const accepting = await open(false);
    const working = await open(true);
    await expect(open(true)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await Promise.all([accepting.close(), working.close()]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
