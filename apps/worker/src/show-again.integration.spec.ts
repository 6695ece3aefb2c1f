import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Database,
  insertProject,
  inTransaction,
  openPool,
  PgCheckpoints,
  PgHistory,
  PgRestore,
} from '#persistence';
import { freshDatabase, type FreshDatabase, sampleMachine, sampleSeed, tempFolder, type TempFolder } from '#testing';
import { Artefacts, GitWorktrees } from '#workspace';
import { showAgain } from './show-again.js';
import { showingHeld } from './show-held.js';

let database: FreshDatabase;
let folder: TempFolder;
let pool: Database;
let restore: PgRestore;
let repo: string;
let id: string;
let number = 0;
const failures: unknown[] = [];
const artefacts = new Artefacts();

const name = (): string => `${String(number).padStart(3, '0')}-sample`;
const page = (): string => join(repo, '.qralph', 'projects', name(), 'STATE.md');
const parts = () => ({
  ...{ pool, artefacts, history: new PgHistory(pool) },
  worktrees: new GitWorktrees({ root: join(folder.path, 'worktrees'), path: process.env['PATH'] ?? '' }),
});
/** What a start does. */
const start = (): Promise<number> =>
  showAgain({
    ...parts(),
    signal: new AbortController().signal,
    onFailure: (_, error) => failures.push(error),
  });
const isRunnable = async (): Promise<unknown> =>
  (await pool.query<{ runnable: boolean }>('SELECT runnable FROM project WHERE id = $1', [id])).rows[0]?.runnable;

beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('show-again')];
  pool = openPool({ url: database.url, max: 4, name: 'show-again', onError: () => undefined });
  repo = join(folder.path, 'repo');
  mkdirSync(repo);
  execFileSync('git', ['-C', repo, 'init', '-q', '-b', 'main']);
  const onHeld = showingHeld(parts(), { warn: (...said: unknown[]) => failures.push(said) });
  restore = new PgRestore(pool, new PgCheckpoints(pool, null), () => Promise.resolve(sampleMachine), null, onHeld);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await folder.remove();
});

/** A project on the repository that waits and has been shown. */
beforeEach(async () => {
  number += 1;
  const seed = sampleSeed();
  id = seed.facts.id;
  const facts = { ...seed.facts, name: name(), repo: { path: repo, ref: 'main' } };
  const rest = { number, mode: 'sample', options: {}, labels: {}, parentIncarnation: null, events: [] };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest, facts }, null));
  await pool.query(
    `UPDATE project SET runnable = false, status = CASE WHEN id = $1 THEN 'waiting' ELSE 'completed' END`,
    [id],
  );
  const anchor = JSON.stringify({ project: id, seq: 1, checksum: 'sha256:1' });
  await artefacts.writeAll({ repo, name: name() }, [
    ['STATE.md', '# as it was shown\n'],
    ['checkpoints/latest.json', anchor],
  ]);
});

describe('a project that waits', () => {
  it('is left alone where it is shown', async () => {
    expect([await start(), await isRunnable(), failures]).toEqual([0, false, []]);
  });

  it.each([
    ['a link', (file: string) => symlinkSync(join(folder.path, 'elsewhere'), file)],
    [
      'a file that is far too long',
      (file: string) => (writeFileSync(file, ''), truncateSync(file, 11 * 1_024 * 1_024)),
    ],
  ])('is given to a worker where its page is %s, which the page then replaces', async (_, put) => {
    writeFileSync(join(folder.path, 'elsewhere'), 'somebody else’s');
    rmSync(page());
    put(page());
    expect([await start(), await isRunnable(), failures]).toEqual([1, true, []]);
    await artefacts.write({ repo, name: name() }, 'STATE.md', '# shown again\n');
    expect([lstatSync(page()).isFile(), readFileSync(page(), 'utf8')]).toEqual([true, '# shown again\n']);
    expect(readFileSync(join(folder.path, 'elsewhere'), 'utf8')).toBe('somebody else’s');
  });
});

describe('a project that is held', () => {
  const held = /\| held at \| checkpoint 1 \|/;
  const spoil = () => pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1`, [id]);

  it('is shown as that at once, and the repository’s current project with it', async () => {
    await spoil();
    await restore.hold(id, { seq: 1, reason: 'a flipped bit' });
    expect(readFileSync(page(), 'utf8')).toMatch(held);
    expect(readFileSync(page(), 'utf8')).toContain('checkpoint 1 cannot be used (a flipped bit)');
    const current = readFileSync(join(repo, '.qralph', 'current-project.json'), 'utf8');
    expect(JSON.parse(current)).toMatchObject({ project: id, status: 'blocked' });
    expect(failures).toEqual([]);
  });

  it('is shown again at a start where its page is gone, or older, and is driven by nobody', async () => {
    await spoil();
    await restore.hold(id, { seq: 1, reason: 'a flipped bit' });
    for (const text of [null, '# older\n']) {
      rmSync(dirname(page()), { recursive: true });
      if (text !== null) await artefacts.write({ repo, name: name() }, 'STATE.md', text);
      expect([await start(), await isRunnable()]).toEqual([0, false]);
      expect(readFileSync(page(), 'utf8')).toMatch(held);
    }
    expect(failures).toEqual([]);
  });

  it('is not shown as that once it was restored', async () => {
    await pool.query(`UPDATE project SET waiting = $2 WHERE id = $1`, [
      id,
      '{"kind":"checkpoint","seq":9,"reason":"x"}',
    ]);
    await restore.hold(id, { seq: 9, reason: 'x' });
    await pool.query(`UPDATE project SET waiting = NULL WHERE id = $1`, [id]);
    await artefacts.write({ repo, name: name() }, 'STATE.md', '# restored\n');
    await restore.hold(id, { seq: 9, reason: 'x' });
    expect(readFileSync(page(), 'utf8')).toBe('# restored\n');
  });
});
