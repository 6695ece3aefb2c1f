import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AgentStage, eventually, sampleTask } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened } from './played-cli.fixture.js';

closesWorlds();

/** Its first run writes a file and then takes very long over something that is no call of a model. */
const DAWDLES = `if (!require('node:fs').existsSync('half.txt')) {
  writeFileSync('half.txt', 'half\\n');
  await new Promise(() => setInterval(() => undefined, 1000));
}`;

it('a run that is to pause ends soon, its files stay, and after that another run goes on from there', async () => {
  const world = await openCliWorld(around({ first: DAWDLES }));
  opened.push(world);
  const { worktree, startCommit, server, git } = world;
  server.use(() => ({ text: 'It is made.' }));
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  const driven = stage.drive();
  await eventually('it has begun', async () => existsSync(join(worktree.folder, 'half.txt')), { deadlineMs: 30_000 });
  const from = performance.now();
  stage.pause();
  await driven;
  expect(performance.now() - from).toBeLessThan(10_000);
  expect([stage.outcomes, server.calls]).toEqual([[], []]);
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'It is made.' });
  expect(stage.outcome.kind === 'finished' && git('show', `${stage.outcome.commit}:half.txt`)).toBe('half\n');
  expect([...stage.starts.values()]).toEqual([1, 1]);
  expect(JSON.stringify(server.calls[0]?.body)).toContain('You have begun this before');
});
