import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandResult } from '#process-monitor';
import { hasBwrap } from '#testing';
import { hasNamespaces, sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';

let folder: string;
let world: SandboxWorld;
let repo: string;
let worktree: string;

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
const listed = (): string[] => readdirSync(join(repo, '.git'), { recursive: true, encoding: 'utf8' }).sort();
const contents = (): [name: string, bytes: string][] =>
  listed()
    .filter((name) => statSync(join(repo, '.git', name)).isFile())
    .map((name) => [name, readFileSync(join(repo, '.git', name), 'base64')]);

beforeAll(async () => {
  // Not below /tmp nor /var/tmp: inside, all of these can be written, and what lies in them seems to be so.
  folder = mkdtempSync(join(homedir(), '.qralph-test-hooks-'));
  world = await sandboxWorld(folder);
  repo = join(folder, 'repo');
  worktree = join(world.dataDir, 'worktrees', 'git');
  mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'file'), 'one\n');
  git(repo, 'add', 'file');
  git(repo, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  git(repo, 'worktree', 'add', '-q', '-b', 'work', worktree);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const WALLED = [...(hasBwrap() ? ['auto' as const] : []), ...(hasNamespaces() ? ['limited' as const] : [])];

/** What installers of hooks do, as a package's `prepare` runs them: lefthook, simple-git-hooks, pre-commit. */
const INSTALL = `set -e
  hooks=$(git rev-parse --path-format=absolute --git-path hooks)
  info=$(git rev-parse --path-format=absolute --git-path info)
  mkdir -p "$hooks" "$info"
  echo 'echo hooked' > "$hooks/pre-commit" && chmod 755 "$hooks/pre-commit" && "$hooks/pre-commit"
  echo checksum > "$info/lefthook.checksum"`;

describe.each(WALLED)('an installer of git hooks in the sandbox %s', (wish) => {
  const run = (script: string): Promise<CommandResult> =>
    world.sandboxes.pick(wish).run(world.shell(script, { cwd: worktree, writable: [worktree] }));

  it('succeeds, and nothing of it reaches the repository or the next command', async () => {
    const before = listed();
    expect(await run(INSTALL)).toMatchObject({ exitCode: 0, stdout: 'hooked\n', stderr: '' });
    expect(listed()).toEqual(before);
    const { stdout } = await run(
      'ls -A "$(git rev-parse --git-path hooks)" "$(git rev-parse --git-path info)" | grep -v :',
    );
    expect(stdout.trim()).toBe('');
  });

  it('succeeds also where the repository has no such folders', async () => {
    for (const name of ['hooks', 'info']) rmSync(join(repo, '.git', name), { recursive: true, force: true });
    expect(await run(INSTALL)).toMatchObject({ exitCode: 0, stdout: 'hooked\n' });
    expect(['hooks', 'info'].filter((name) => existsSync(join(repo, '.git', name)))).toEqual([]);
  });

  it.each(['hooks/../config', 'hooks/../objects/x', 'x', 'refs/heads/x', 'worktrees/git/HEAD'])(
    'writes no other file of the repository: %s',
    async (name) => {
      const before = contents();
      // Refused, or where the home folder lies below /tmp, lost with the command.
      await run(`echo x > "$(git rev-parse --path-format=absolute --git-common-dir)/${name}"`);
      expect(contents()).toEqual(before);
    },
  );

  it('sees no hook of the user', async () => {
    mkdirSync(join(repo, '.git/hooks'), { recursive: true });
    writeFileSync(join(repo, '.git/hooks/mine'), 'key');
    expect((await run('cat "$(git rev-parse --git-path hooks)/mine"')).exitCode).toBeGreaterThan(0);
  });
});
