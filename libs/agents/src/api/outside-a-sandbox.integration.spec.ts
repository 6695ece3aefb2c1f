import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import { openCliWorld } from '../cli/cli-world.fixture.js';
import { apiRuntime } from './api-runtime.js';
import { ScriptedDesk, turnOf } from './world.fixture.js';

let world: Awaited<ReturnType<typeof openCliWorld>>;
afterEach(() => world.close());

/** An agent whose answers run one command each, where no sandbox keeps them from git's own files. */
async function ran(...commands: string[]) {
  world = await openCliWorld({ sandbox: 'none' });
  const { worktree, worktrees, startCommit, sandbox, repo } = world;
  const hook = join(repo, '.git', 'hooks', 'pre-push');
  mkdirSync(join(repo, '.git', 'hooks'), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\n');
  chmodSync(hook, 0o644);
  const desk = new ScriptedDesk((wish) => {
    const command = commands[turnOf(wish) - 1];
    return command === undefined ? { text: 'done' } : { calls: [['run', { command }]] };
  });
  const runtime = apiRuntime({ desk, worktrees, sandbox });
  const stage = new AgentStage(runtime, sampleTask({ mayRun: true }), { worktree, startCommit });
  await stage.drive();
  return { ...world, desk, outcome: stage.outcome };
}

const GIT = 'git -c user.name=x -c user.email=x@localhost';
const OWN_COMMIT = `echo made > made.txt; git add -A; ${GIT} commit -q -m mine`;

describe('what an api agent’s command does to git where no sandbox hides it', () => {
  it.each([
    ['commits of its own on the branch', OWN_COMMIT],
    ['another branch', `git checkout -q -b elsewhere; ${OWN_COMMIT}`],
    ['no branch', `git checkout -q --detach; ${OWN_COMMIT}`],
    ['the branch of the user', `git symbolic-ref HEAD refs/heads/main; ${OWN_COMMIT} || true`],
  ])('is taken back: %s; its files are kept', async (_name, command) => {
    const { outcome, worktrees, worktree, startCommit, fileAt } = await ran(command, 'echo more > more.txt');
    expect(outcome).toMatchObject({ kind: 'finished' });
    if (outcome.kind !== 'finished') return;
    expect(await fileAt(outcome.commit, 'made.txt')).toBe('made\n');
    expect(await fileAt(outcome.commit, 'more.txt')).toBe('more\n');
    expect(await worktrees.head(worktree)).toBe(startCommit);
    // Whoever goes back to what the agent left comes to the branch as it was, and not to a commit of the agent's.
    await worktrees.reset(worktree, outcome.commit);
    expect(await worktrees.head(worktree)).toBe(startCommit);
    expect(readFileSync(join(worktree.folder, 'made.txt'), 'utf8')).toBe('made\n');
  });

  it.each([
    ['a configuration of the worktree', 'config.worktree', 'printf "[core]\\n\\tfsmonitor = evil\\n" >'],
    ['the same as a link', 'config.worktree', 'ln -s /etc/passwd'],
    ['another repository', 'commondir', 'echo /tmp >'],
  ])('is taken back: %s', async (_name, file, write) => {
    const { outcome, worktree, repo } = await ran(
      `d=$(git rev-parse --git-dir); rm -f $d/${file}; ${write} $d/${file}`,
    );
    expect(outcome).toMatchObject({ kind: 'finished' });
    const entry = join(repo, '.git', 'worktrees', worktree.projectId);
    const isThere = existsSync(join(entry, file));
    expect(isThere ? readFileSync(join(entry, file), 'utf8') : null).toBe(file === 'commondir' ? '../..\n' : null);
  });

  it.each([
    ['the configuration', 'git config core.fsmonitor evil', 'config'],
    ['attributes', 'mkdir -p $common/info; echo "* filter=evil" > $common/info/attributes', 'info/attributes'],
    ['attributes as a link', 'mkdir -p $common/info; ln -s /etc/passwd $common/info/attributes', 'info/attributes'],
    ['a new hook', 'echo evil > $common/hooks/pre-commit', 'hooks/pre-commit'],
    ['a hook that is a link', 'ln -s /bin/true $common/hooks/pre-commit', 'hooks/pre-commit'],
    ['a hook that is run from now on', 'chmod +x $common/hooks/pre-push', 'hooks/pre-push'],
    ['a hook of other words', 'echo evil >> $common/hooks/pre-push', 'hooks/pre-push'],
    ['other hooks in all', 'mv $common/hooks $common/old; mkdir $common/hooks', 'hooks'],
  ])('is a failure that a person hears of: %s', async (_name, command, file) => {
    const all = `common=$(git rev-parse --path-format=absolute --git-common-dir); ${command}`;
    const { outcome, repo, desk } = await ran(all, 'echo never');
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TOUCHED_GIT' });
    expect(outcome.kind === 'failed' && outcome.message).toContain(join(repo, '.git', file));
    expect(desk.answers).toBe(1);
  });

  it('is nothing where it only looked', async () => {
    const { outcome } = await ran('git status && git log && ls -R "$(git rev-parse --git-common-dir)/hooks"');
    expect(outcome).toMatchObject({ kind: 'finished' });
  });
});
