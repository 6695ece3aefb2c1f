import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { type JsonObject, silentTrace } from '#kernel';
import { type ModeRegistry, mustHeed } from '#modes';
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

describe('a start without a model provider', () => {
  const REPO_MODES = ['errand', 'coding', 'work', 'classic'];
  const admit = async (name: string, request: string): Promise<unknown> =>
    modes
      .mode(name)
      .admit?.({ request, repo: null, parameters: {}, options: {} })
      .then(
        () => 'admitted',
        (error: unknown) => (error as { code?: unknown }).code,
      );

  it.each(REPO_MODES)('is admitted in the mode %s if the simulated model can do the request', async (name) => {
    expect(await admit(name, 'Add dark mode toggle')).toBe('admitted');
  });

  it.each(REPO_MODES)('is refused in the mode %s if it cannot', async (name) => {
    expect(await admit(name, 'Fix the login')).toBe('SIMULATED_MODEL_CANNOT_DO_THIS');
  });

  it('is admitted with a playbook of one’s own that names no requests', async () => {
    const playbook = join(folder.path, 'own.yaml');
    await writeFile(playbook, 'version: 1\nentries: [{ always: { text: Done. } }]\n');
    const settings = { QRALPH_DATA_DIR: folder.path, PATH: '/usr/bin:/bin', QRALPH_PLAYBOOK: playbook };
    const around = { doesWork: false, trace: silentTrace, onError: () => undefined };
    const own = await openModes(loadConfig(settings), pool, around);
    try {
      const order = { request: 'Fix the login', repo: null, parameters: {}, options: {} };
      await expect(own.modes.mode('coding').admit?.(order)).resolves.toBeUndefined();
    } finally {
      await own.close();
    }
  });
});

describe('the options goal and asides', () => {
  const refusalOf = (name: string, asked: JsonObject): unknown => {
    try {
      mustHeed(modes.mode(name), asked, {});
      return 'heeded';
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };

  it.each([
    ['coding', 'heeded', 'heeded'],
    ['classic', 'heeded', 'heeded'],
    ['work', 'heeded', 'heeded'],
    ['errand', 'heeded', 'OPTION_NOT_AVAILABLE'],
    ['drill', 'OPTION_NOT_AVAILABLE', 'OPTION_NOT_AVAILABLE'],
  ])('are those of some modes: in %s goal is %s, asides %s', (name, goal, asides) => {
    expect(refusalOf(name, { goal: 'green' })).toBe(goal);
    expect(refusalOf(name, { asides: 'P0' })).toBe(asides);
    expect(refusalOf(name, { goal: null })).toBe('heeded');
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
