import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entriesOf } from '#control';
import { defineMachine, initialSnapshot, type Snapshot } from '#engine';
import { type JsonObject, newId } from '#kernel';
import { type ControlledProject, type Database, insertProject, inTransaction, openPool, pendingSignals, PgControlFiles } from '#persistence'; // prettier-ignore
import { freshDatabase, type FreshDatabase, sampleSeed, tempFolder, type TempFolder } from '#testing';
import { Artefacts } from '#workspace';
import { ControlFile, type ControlFileParts, type Entry } from './control-file.js';

const machine = defineMachine(
  'm',
  1,
  {
    WORK: { do: 'work', on: { done: 'DONE', stuck: 'BLOCKED', SKIP: 'WORK' } },
    BLOCKED: {
      remembers: true,
      gate: { name: 'g', ask: '?', options: { go: 'going' } },
      on: { going: '@return', RETRY: { to: '@return', by: 'human' } },
    },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);

let database: FreshDatabase;
let pool: Database;
beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 8, name: 'control-file', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let folder: TempFolder;
let project: ControlledProject;
let snapshot: Snapshot;
let asked: string[];
beforeEach(async () => {
  folder = tempFolder('control');
  execFileSync('git', ['init', '-q', folder.path]);
  const id = newId();
  const seed = {
    ...sampleSeed({}, { id }),
    number: null,
    mode: 'sample',
    options: {},
    labels: {},
    parentIncarnation: null,
  };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, events: [] }, null));
  project = { id, name: '001-controlled', repo: folder.path };
  snapshot = initialSnapshot(machine, {});
  asked = [];
});
afterEach(() => folder.remove());

const page = (): string => join(folder.path, '.qralph/projects/001-controlled/CONTROL.md');
const shown = (): string => readFileSync(page(), 'utf8');
/** As somebody saved it a while ago. */
function write(text: string | Buffer): void {
  mkdirSync(join(page(), '..'), { recursive: true });
  writeFileSync(page(), text);
  settle();
}
const settle = (): void => utimesSync(page(), new Date(), new Date(Date.now() - 60_000));

const fileWith = (own: Partial<ControlFileParts> = {}): ControlFile =>
  new ControlFile({
    store: new PgControlFiles<Entry>(pool),
    artefacts: new Artefacts(),
    standing: async (id) => ({
      ...{ snapshot, version: 1, inbox: await pendingSignals(pool, id) },
      runnable: { machine, guards: {}, activities: {} },
    }),
    stateOf: () => Promise.resolve(snapshot.state),
    status: async (id) => void asked.push(id),
    counts: () => undefined,
    mostWaiting: 100,
    now: () => new Date(),
    onLeft: () => undefined,
    ...own,
  });
const look = (own: Partial<ControlFileParts> = {}, isLive = true) => fileWith(own).look(project, isLive);

const commands = async (): Promise<unknown[]> =>
  (await pendingSignals(pool, project.id)).map(({ body, by }) => [by, body.kind === 'command' && body.command]);
const told = async (type: string): Promise<JsonObject[]> => {
  const sql = 'SELECT data FROM event WHERE project_id = $1 AND type = $2 ORDER BY seq';
  const { rows } = await pool.query<{ data: string }>(sql, [project.id, type]);
  return rows.map(({ data }) => JSON.parse(data) as JsonObject);
};

describe('CONTROL.md', () => {
  it('is there with its template, which commands nothing, and comes back when it is deleted', async () => {
    await look();
    settle();
    await look();
    expect(shown()).toContain('- SKIP: ');
    expect(shown()).not.toContain('ESCALATE');
    rmSync(page());
    await look();
    expect(entriesOf(shown())).toEqual([]);
    expect([await commands(), await told('control.unusable')]).toEqual([[], []]);
  });

  it('is not made again once the project has ended, nor where the repository is not here', async () => {
    await look({}, false);
    expect(existsSync(page())).toBe(false);
    project = { ...project, repo: join(folder.path, 'gone') };
    expect(await look()).toBe('done');
    expect([existsSync(project.repo), await told('control.unusable')]).toEqual([false, []]);
  });

  it('gives a command once, as a service, and marks its line', async () => {
    write('I want it to\n PAUSE \r\nfor now, not ABORT\n');
    await look();
    expect(await commands()).toEqual([['service', 'PAUSE']]);
    expect(shown()).toMatch(/^I want it to\nPAUSE {2}<- taken \d{4}-\d\d-\d\dT[\d:.]+Z\r\nfor now, not ABORT\n$/);
    settle();
    await look();
    expect(await commands()).toHaveLength(1);
    expect(await told('command.received')).toMatchObject([
      { command: 'PAUSE', door: 'file', by: 'service', key: null },
    ]);
  });

  it('takes the same word again later, whether the mark was removed or not', async () => {
    write('STATUS\n');
    await look();
    write(`${shown()}STATUS\n`);
    await look();
    write('STATUS\n');
    await look();
    expect(await told('command.received')).toHaveLength(3);
    expect([asked.length, await commands()]).toEqual([3, []]);
  });

  it('says in the file and in an event why a line is not taken: twice, in lower case, only for people', async () => {
    write('PAUSE\nPAUSE\nresume\n');
    await look();
    expect(await commands()).toEqual([['service', 'PAUSE']]);
    const [first, second, third] = shown().split('\n');
    expect(first).toContain('PAUSE  <- taken');
    expect(second).toMatch(/^PAUSE {2}<- not taken .*: PAUSE is not allowed in WORK, which is paused, now$/);
    expect(third).toMatch(/^resume {2}<- not taken .*: a command is written in capitals: RESUME$/);
    snapshot = { ...snapshot, state: 'BLOCKED', returnTo: 'WORK' };
    await pool.query('UPDATE signal SET consumed_version = 1 WHERE project_id = $1', [project.id]);
    write('RETRY\n');
    await look();
    expect(shown()).toMatch(/^RETRY {2}<- not taken .*: RETRY in BLOCKED needs a human principal\n$/);
    expect(await told('command.refused')).toMatchObject([{ command: 'PAUSE' }, { command: 'RESUME' }, { command: 'RETRY', state: 'BLOCKED' }]); // prettier-ignore
  });

  it('judges each line as if those above it were obeyed', async () => {
    write('PAUSE\nRESUME\nPAUSE\nABORT\n');
    await look();
    expect((await commands()).map((one) => (one as string[])[1])).toEqual(['PAUSE', 'RESUME', 'PAUSE', 'ABORT']);
  });

  it('refuses what is commanded after the end', async () => {
    snapshot = { ...snapshot, state: 'DONE', ended: true };
    write('PAUSE\n');
    await look({}, false);
    expect(await commands()).toEqual([]);
    expect(shown()).toContain('<- not taken');
    expect(shown()).toContain('the project has ended, it is completed');
  });

  it('is left alone while somebody writes to it', async () => {
    write('PAUSE');
    utimesSync(page(), new Date(), new Date());
    expect(await look()).toBe('again');
    expect(await commands()).toEqual([]);
  });
});

describe('a line is taken once', () => {
  it('though several workers look at the same time', async () => {
    write('PAUSE\nSTATUS\n');
    await Promise.all(Array.from({ length: 6 }, () => look()));
    await look();
    expect(await commands()).toEqual([['service', 'PAUSE']]);
    expect(shown().match(/<- taken/g)).toHaveLength(2);
  });

  it('though its worker dies before the line is marked', async () => {
    write('PAUSE\n');
    const dies = { peek: (...of: Parameters<Artefacts['peek']>) => new Artefacts().peek(...of), write: () => Promise.reject(new Error('killed')) }; // prettier-ignore
    const store = new PgControlFiles<Entry>(pool);
    let saves = 0;
    const once = { load: (id: string) => store.load(id), save: (...of: Parameters<typeof store.save>) => ((saves += 1) === 1 ? store.save(...of) : Promise.reject(new Error('killed'))) }; // prettier-ignore
    await expect(look({ artefacts: dies, store: once })).rejects.toThrow('killed');
    expect(shown()).toBe('PAUSE\n');
    await look();
    expect([(await commands()).length, shown().includes('PAUSE  <- taken')]).toEqual([1, true]);
  });

  it('though the file takes no writes: it is said once, and other words still work', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const readOnly = { peek: (...of: Parameters<Artefacts['peek']>) => new Artefacts().peek(...of), write: () => Promise.reject(denied) }; // prettier-ignore
    write('PAUSE\n');
    for (let nth = 0; nth < 3; nth += 1) await look({ artefacts: readOnly });
    write('PAUSE\nRESUME\n');
    for (let nth = 0; nth < 3; nth += 1) await look({ artefacts: readOnly });
    write('PAUSE\n');
    await look({ artefacts: readOnly });
    write('STATUS\n');
    await look({ artefacts: readOnly });
    expect((await commands()).map((one) => (one as string[])[1])).toEqual(['PAUSE', 'RESUME']);
    expect(await told('control.unusable')).toMatchObject([{ code: 'UNWRITTEN_EACCES' }]);
    expect(shown()).toBe('STATUS\n');
    await look();
    expect(shown()).toContain('STATUS  <- taken');
  });

  it('though it was changed while it was looked at: the change is kept', async () => {
    write('PAUSE\n');
    const changes = async (...of: Parameters<Artefacts['peek']>) => {
      const found = await new Artefacts().peek(...of);
      if (shown() === 'PAUSE\n') write('PAUSE\nand a note of mine\n');
      return found;
    };
    const artefacts = { peek: changes, write: (...of: Parameters<Artefacts['write']>) => new Artefacts().write(...of) };
    expect(await look({ artefacts })).toBe('again');
    await look();
    expect(shown()).toMatch(/^PAUSE {2}<- taken .*\nand a note of mine\n$/);
    expect(await commands()).toHaveLength(1);
  });
});

describe('what is no CONTROL.md is left alone, and said once', () => {
  const twice = async (): Promise<unknown[]> => {
    await look();
    await look();
    return (await told('control.unusable')).map(({ code }) => code);
  };

  it('bytes that are no text', async () => {
    write(Buffer.from([0x50, 0x00, 0xff, 0x0a, ...Buffer.from('PAUSE\n')]));
    expect(await twice()).toEqual(['CONTROL_BINARY']);
  });

  it('text that is no UTF-8', async () => {
    write(Buffer.from([0xc3, 0x28, 0x0a]));
    expect(await twice()).toEqual(['CONTROL_BINARY']);
  });

  it('100 MB of commands', async () => {
    write('PAUSE\n');
    truncateSync(page(), 100 * 1_024 * 1_024);
    settle();
    expect(await twice()).toEqual(['CONTROL_TOO_LARGE']);
    expect(lstatSync(page()).size).toBe(100 * 1_024 * 1_024);
  });

  it('more commands than anybody means', async () => {
    write('STATUS\n'.repeat(21));
    expect(await twice()).toEqual(['CONTROL_TOO_MANY']);
  });

  it('a link, whose target is neither read nor written', async () => {
    const secret = join(folder.path, 'elsewhere');
    writeFileSync(secret, 'ABORT\n');
    write('');
    rmSync(page());
    symlinkSync(secret, page());
    expect(await twice()).toEqual(['ARTEFACT_PATH_UNSAFE']);
    expect([readFileSync(secret, 'utf8'), lstatSync(page()).isSymbolicLink()]).toEqual(['ABORT\n', true]);
  });

  it('a folder', async () => {
    mkdirSync(page(), { recursive: true });
    expect(await twice()).toEqual(['ARTEFACT_PATH_UNSAFE']);
  });

  it('a pipe that nobody writes to: nobody waits for it', async () => {
    mkdirSync(join(page(), '..'), { recursive: true });
    execFileSync('mkfifo', [page()]);
    expect(await twice()).toEqual(['ARTEFACT_PATH_UNSAFE']);
  });

  it('and is of use again when it is a plain file again', async () => {
    write(Buffer.from([0]));
    await look();
    write('PAUSE\n');
    await look();
    write(Buffer.from([0]));
    await look();
    expect(await commands()).toHaveLength(1);
    expect(await told('control.unusable')).toHaveLength(2);
  });
});
