import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import { openCliWorld } from '../cli/cli-world.fixture.js';
import { apiRuntime } from './api-runtime.js';
import { ScriptedDesk, turnOf } from './world.fixture.js';

let world: Awaited<ReturnType<typeof openCliWorld>>;
afterEach(() => world.close());

/** An agent that only reads, and whose answers run one command each. */
async function ran(sandboxed: 'auto' | 'none', ...commands: string[]) {
  world = await openCliWorld({ sandbox: sandboxed });
  const { worktree, worktrees, startCommit, sandbox } = world;
  const heard: string[] = [];
  const offered = new Set<string>();
  const desk = new ScriptedDesk((wish) => {
    for (const { name } of wish.tools ?? []) offered.add(name);
    heard.push(JSON.stringify(wish.messages.at(-1)));
    const command = commands[turnOf(wish) - 1];
    return command === undefined ? { text: 'done' } : { calls: [['run', { command }]] };
  });
  const runtime = apiRuntime({ desk, worktrees, sandbox });
  const task = sampleTask({ access: 'read', mayRun: true });
  const stage = new AgentStage(runtime, task, { worktree, startCommit });
  await stage.drive();
  return { ...world, outcome: stage.outcome, offered, heard: heard.slice(1) };
}

const TEST = "require('node:test').test('adds', () => {})";

describe('commands of an agent that only reads', () => {
  it('read the files and the history, and run tests', async () => {
    const { heard, outcome, startCommit, registry } = await ran(
      'auto',
      'cat readme.md',
      'git log --format=subject:%s',
      `echo "${TEST}" > /tmp/a.test.cjs && node --test /tmp/a.test.cjs`,
    );
    expect(heard[0]).toContain('# A project');
    expect(heard[1]).toContain('subject:first');
    expect(heard[2]).toContain('exit code 0');
    expect(outcome).toMatchObject({ kind: 'finished', commit: startCommit });
    expect(registry.records.size).toBe(0);
  });

  it.each([
    ['a new file', 'echo x > made.txt'],
    ['a file that is there', 'echo x >> readme.md'],
    ['a file that it removes', 'rm readme.md'],
    ['a commit', 'git -c user.name=x -c user.email=x@localhost commit --allow-empty -m mine'],
    ['a hook', 'echo x > "$(git rev-parse --git-common-dir)/hooks/pre-commit"; false'],
  ])('cannot change the repository: %s', async (_, command) => {
    const { heard, outcome, startCommit, worktree, worktrees, repo } = await ran('auto', command);
    expect(heard[0]).not.toContain('exit code 0');
    expect(outcome).toMatchObject({ kind: 'finished', commit: startCommit });
    expect(await worktrees.snapshot(worktree)).toBe(startCommit);
    expect(existsSync(join(repo, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('have a /tmp that the next command does not see', async () => {
    const { heard } = await ran('auto', 'echo x > /tmp/kept && cat /tmp/kept', 'cat /tmp/kept');
    expect(heard[0]).toContain('exit code 0');
    expect(heard[1]).not.toContain('exit code 0');
  });

  it('are not offered if no sandbox keeps them from writing', async () => {
    const { offered, heard } = await ran('none', 'cat readme.md');
    expect([...offered]).toEqual(expect.arrayContaining(['read_file']));
    expect([...offered]).not.toContain('run');
    expect(heard[0]).toContain('there is no tool');
  });
});
