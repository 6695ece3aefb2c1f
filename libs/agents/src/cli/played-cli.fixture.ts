import { afterEach } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { type CliWorldOptions, openCliWorld } from './cli-world.fixture.js';
import { fakeClaude } from './fake-claude.fixture.js';

/** Worlds that are closed when their test has ended. */
export const opened: { close(): Promise<void> }[] = [];

/** To be called once in each spec that opens worlds. */
export const closesWorlds = (): void =>
  afterEach(async () => {
    for (const world of opened.splice(0)) await world.close();
  });

type World = Awaited<ReturnType<typeof openCliWorld>>;

/** A task run to its end, with a model that wants one file written and then says so. */
export async function played(options: CliWorldOptions | World, change: Partial<AgentTask> = {}) {
  const world = 'runtime' in options ? options : await openCliWorld(options);
  opened.push(world);
  const { worktree, startCommit, server } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  server.use(({ turn }) => (turn === 0 ? { toolCalls: [{ name: 'Write', input }] } : { text: 'It is made.' }));
  const stage = new AgentStage(world.runtime, sampleTask(change), { worktree, startCommit });
  await stage.drive();
  return { ...world, stage, outcome: stage.outcome };
}

/** A program that behaves as claude does, with something of its own before and after. */
export const around = (parts: Parameters<typeof fakeClaude>[0]): CliWorldOptions => ({ script: fakeClaude(parts) });
