import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EffectRun, ProjectFacts } from '#engine';
import { newWorkshop, projectOn, runOn } from './git-workshop.fixture.js';
import type { GitWorkshop } from './git-workshop.js';
import { install, LOCK, MANIFEST } from './setup/installed-npm.fixture.js';
import { inodeOf, openWorktree, PretendedSandbox, read, write } from './setup/setup.fixture.js';
import type { GitWorktrees, Worktree } from './worktree/index.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const TEST = `import { test } from 'node:test';\ntest('works', () => {});\n`;
const FILE = 'node_modules/one/index.js';

/** The data folder lies behind a link: on many machines it does. */
describe('the workshop', () => {
  let at: ReturnType<typeof openWorktree>;
  let project: ProjectFacts;
  let run: EffectRun;
  let sandbox: PretendedSandbox;
  let unsandboxed: PretendedSandbox;
  let workshop: GitWorkshop;
  let worktrees: GitWorktrees;
  let cleanRuns: object[];
  beforeEach(() => {
    at = openWorktree(
      {
        'package.json': JSON.stringify({ ...MANIFEST, scripts: { test: 'node --test' } }),
        'package-lock.json': LOCK,
        'sum.test.mjs': TEST,
        '.gitignore': 'node_modules\n.venv\n!.env\n',
      },
      PATH,
    );
    install(at.repo);
    write(at.repo, { '.env': 'PASSWORD=1' });
    mkdirSync(join(at.folder.path, 'real-data'));
    symlinkSync(join(at.folder.path, 'real-data'), join(at.folder.path, 'data'));
    [run, project] = [runOn(at), projectOn(at)];
    restart(true);
  });
  afterEach(() => at.folder.remove());

  /** A new process on the same data folder. */
  const restart = (hidesFiles: boolean): void => {
    sandbox = new PretendedSandbox(at.commands, hidesFiles, 'bubblewrap');
    unsandboxed = new PretendedSandbox(at.commands, false);
    cleanRuns = [];
    const pick = (wish: string) => (wish === 'none' ? unsandboxed : sandbox);
    ({ workshop, worktrees } = newWorkshop(at, { pick }, undefined, (one) => cleanRuns.push(one)));
  };
  const enter = (): Promise<Worktree> => workshop.enter(project, { commit: null, incarnation: 1 }, at.abort.signal);
  const setUp = async (): Promise<Worktree> => {
    const worktree = await enter();
    const result = await workshop.setUp(worktree, { copy: ['.env'] }, run);
    expect(result).toMatchObject({ status: 'done', copied: ['.env'], broughtIn: [{ folders: ['node_modules'] }] });
    return worktree;
  };
  const noteOf = ({ projectId }: Worktree): string => join(at.folder.path, 'data/places', projectId, 'place.json');
  const isShared = ({ folder }: Worktree): boolean => inodeOf(folder, FILE) === inodeOf(at.repo, FILE);

  it('sets a worktree up once, and remembers its place over a restart', async () => {
    expect(await workshop.isSetUp(await enter())).toBe(false);
    const worktree = await setUp();
    const place = await workshop.place(worktree);
    expect(place.readOnly).toEqual(isShared(worktree) ? [join(worktree.folder, 'node_modules')] : []);
    restart(true);
    const again = await enter();
    expect(await workshop.isSetUp(again)).toBe(true);
    expect(await workshop.place(again)).toEqual(place);
  });

  it('names no path that goes through a link', async () => {
    const worktree = await setUp();
    const { folder, home, readOnly } = await workshop.place(worktree);
    const real = join(at.folder.path, 'real-data');
    for (const path of [folder, home, ...readOnly, worktree.folder]) expect(path.startsWith(`${real}/`)).toBe(true);
  });

  it('sets a worktree up again that was made again', async () => {
    const worktree = await setUp();
    rmSync(worktree.folder, { recursive: true });
    const again = await enter();
    expect(await workshop.isSetUp(again)).toBe(false);
    await setUp();
    expect(await workshop.isSetUp(again)).toBe(true);
  });

  it('keeps copied files over a reset and out of commits, whatever the repository ignores', async () => {
    const worktree = await setUp();
    write(worktree.folder, { '.env.qralph-part': 'PASS', 'new.txt': '' });
    const snapshot = await worktrees.snapshot(worktree);
    const listed = at.git('ls-tree', '-r', '--name-only', snapshot);
    expect(listed).toContain('new.txt');
    expect(listed).not.toContain('.env');
    await worktrees.reset(worktree, worktree.baseCommit);
    expect([read(worktree.folder, '.env'), existsSync(join(worktree.folder, 'new.txt'))]).toEqual([
      'PASSWORD=1',
      false,
    ]);
  });

  it.each(['', '{"place":', 'null', '{"made":"x"}', '[]'])(
    'takes a worktree whose note says %j for one that is not set up, and lets no command at the user’s files',
    async (text) => {
      const worktree = await setUp();
      writeFileSync(noteOf(worktree), text);
      expect(await workshop.isSetUp(worktree)).toBe(false);
      expect(await workshop.place(worktree)).toMatchObject({ readOnly: [], writable: [] });
      expect(isShared(worktree)).toBe(false);
      expect(read(worktree.folder, FILE)).toBe(read(at.repo, FILE));
    },
  );

  it('makes dependencies the worktree’s own where the sandbox does not keep commands from writing any more', async () => {
    const worktree = await setUp();
    restart(false);
    const places = await Promise.all([workshop.place(worktree), workshop.place(worktree)]);
    for (const place of places) expect(place).toMatchObject({ readOnly: [], writable: [] });
    expect(isShared(worktree)).toBe(false);
    expect(await workshop.isSetUp(worktree)).toBe(true);
    write(worktree.folder, { [FILE]: 'changed' });
    expect(read(at.repo, FILE)).not.toContain('changed');
  });

  it('hands out no place beside what a crash left half-made', async () => {
    const worktree = await setUp();
    const old = join(worktree.folder, '.qralph-old-node_modules');
    mkdirSync(old);
    mkdirSync(join(worktree.folder, '.qralph-part-node_modules'));
    await workshop.place(worktree);
    expect(existsSync(old)).toBe(false);
    expect(existsSync(join(worktree.folder, '.qralph-part-node_modules'))).toBe(false);
    expect(read(worktree.folder, FILE)).toBe(read(at.repo, FILE));
  });

  it('finds dependencies again that a crash left under another name', async () => {
    const worktree = await setUp();
    renameSync(join(worktree.folder, 'node_modules'), join(worktree.folder, '.qralph-old-node_modules'));
    const { readOnly } = await workshop.place(worktree);
    expect(readOnly).toEqual(isShared(worktree) ? [join(worktree.folder, 'node_modules')] : []);
    expect(existsSync(join(worktree.folder, '.qralph-old-node_modules'))).toBe(false);
  });

  it('runs commands in the best sandbox also if the agent is to have none, and tells how each run ended', async () => {
    const worktree = await enter();
    const order = { sandbox: 'none', setup: ['echo set up'] } as const;
    expect(await workshop.setUp(worktree, order, run)).toMatchObject({ status: 'done' });
    const before = sandbox.asked.length;
    const clean = { tree: { commit: worktree.baseCommit }, commands: ['exit 3'] };
    const report = await workshop.verifyClean(worktree, order, clean, run);
    expect([report.verdict, report.sandbox, workshop.sandbox(order).kind]).toEqual(['failed', 'bubblewrap', 'none']);
    expect([sandbox.asked.length > before, unsandboxed.asked.length]).toEqual([true, 0]);
    expect(cleanRuns).toEqual([{ verdict: 'failed', seconds: expect.any(Number) as number }]);
  });

  it('gives an agent without a sandbox no file of the user’s', async () => {
    const worktree = await enter();
    const order = { sandbox: 'none' } as const;
    const result = await workshop.setUp(worktree, order, run);
    expect(result).toMatchObject({ status: 'done', broughtIn: [{ folders: ['node_modules'], readOnly: [] }] });
    expect(isShared(worktree)).toBe(false);
    for (const place of [await workshop.place(worktree), await workshop.place(worktree, order)]) {
      expect(place).toMatchObject({ readOnly: [], writable: [] });
    }
  });

  it('removes what no commit holds before set-up begins again, and follows no link', async () => {
    const worktree = await setUp();
    const { home } = await workshop.place(worktree);
    write(worktree.folder, { '.venv/lib/fix.py': '', 'build/x': '' });
    write(at.folder.path, { 'elsewhere/kept': '' });
    symlinkSync(join(at.folder.path, 'elsewhere'), join(worktree.folder, 'node_modules/link'));
    write(home, { 'left.txt': '', '.cargo/config.toml': '', '.cargo/registry/x': '' });
    await setUp();
    expect(existsSync(join(worktree.folder, '.venv'))).toBe(false);
    expect(existsSync(join(worktree.folder, 'node_modules/link'))).toBe(false);
    expect(read(join(worktree.folder), 'build/x')).toBe('');
    expect([existsSync(join(home, 'left.txt')), existsSync(join(home, '.cargo/config.toml'))]).toEqual([false, false]);
    expect(existsSync(join(home, '.cargo/registry/x'))).toBe(true);
    expect(existsSync(join(at.folder.path, 'elsewhere/kept'))).toBe(true);
  });

  it('leaves alone what a link in the place of HOME leads to', async () => {
    const worktree = await setUp();
    const { home } = await workshop.place(worktree);
    rmSync(home, { recursive: true });
    symlinkSync(at.repo, home);
    await workshop.setUp(worktree, { copy: ['.env'] }, run);
    expect(read(at.repo, 'sum.test.mjs')).toBe(TEST);
  });

  it('leaves nothing but the branch', async () => {
    const worktree = await setUp();
    await workshop.leave(project);
    expect([existsSync(worktree.folder), existsSync(noteOf(worktree))]).toEqual([false, false]);
    expect(at.git('branch', '--list', worktree.branch)).toContain(worktree.branch);
    expect(read(at.repo, FILE)).toBe('module.exports = 1;\n');
  });
});
