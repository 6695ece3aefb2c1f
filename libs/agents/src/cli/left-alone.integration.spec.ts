import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import { type CliWorldOptions, openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened, played } from './played-cli.fixture.js';

closesWorlds();

describe('a worktree that a task only reads', () => {
  const read = { access: 'read' } as const;

  async function shared(sandbox: CliWorldOptions['sandbox'] = 'auto') {
    const world = await openCliWorld({ ...around({}), sandbox });
    return { world, reset: vi.spyOn(world.worktrees, 'reset') };
  }

  it('is not touched where the sandbox keeps it as it is, whatever others do in it', async () => {
    const { world, reset } = await shared();
    if (world.sandbox.kind !== 'bubblewrap') return void (await world.close());
    const others = join(world.worktree.folder, 'others.txt');
    writeFileSync(others, 'theirs\n');
    const { outcome } = await played(world, read);
    expect(outcome).toMatchObject({ kind: 'finished', commit: world.startCommit });
    expect([readFileSync(others, 'utf8'), reset.mock.calls.length]).toEqual(['theirs\n', 0]);
  });

  it('shows its history to commands of the CLI, and cannot be written by them', async () => {
    const first = [
      "const { spawnSync } = require('node:child_process');",
      "const sh = (line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.trim();",
      "const lines = ['git log --format=%s', 'echo x > made.txt || echo refused', 'echo x > /tmp/y && echo own'];",
      "messages[0].content += 'seen: ' + lines.map(sh).join(', ');",
    ].join('\n');
    const world = await openCliWorld(around({ first }));
    opened.push(world);
    const { worktree, startCommit, sandbox, runtime, server } = world;
    if (!sandbox.guarantees.hidesFiles) return;
    server.use(() => ({ text: 'Done.' }));
    const stage = new AgentStage(runtime, sampleTask({ ...read, mayRun: true }), { worktree, startCommit });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'finished', commit: startCommit });
    const sent = JSON.stringify(server.calls[0]?.body);
    expect(sent).toContain('seen: first, refused, own');
    expect(sent).toContain('"name":"Bash"');
  });

  it('is put back elsewhere, but only where something has changed', async () => {
    const wrote = await shared('none');
    const { outcome, worktree } = await played(wrote.world, read);
    expect(outcome).toMatchObject({ kind: 'finished', commit: wrote.world.startCommit });
    expect(existsSync(join(worktree.folder, 'made.txt'))).toBe(false);
    const { world, reset } = await shared('none');
    opened.push(world);
    const { startCommit } = world;
    world.server.use(() => ({ text: 'Done.' }));
    const stage = new AgentStage(world.runtime, sampleTask(read), { worktree: world.worktree, startCommit });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'finished', commit: startCommit });
    expect(reset).not.toHaveBeenCalled();
  });
});

it('a sandbox that cannot run the CLI leaves no open transcript', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { worktree, startCommit, data } = world;
  const { kind, guarantees } = world.sandbox;
  const sandbox = { kind, guarantees, run: () => Promise.reject(new Error('no sandbox today')) };
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit, sandbox });
  await stage.drive();
  expect(String(stage.errors[0])).toContain('no sandbox today');
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  expect(open.filter((file) => file.startsWith(data))).toEqual([]);
});
