import { afterEach } from 'vitest';
import type { ChatWish } from '#models';
import { AgentStage, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { apiRuntime } from './api-runtime.js';
import { FolderWorktrees, NoSandbox, type Said, ScriptedDesk, turnOf } from './world.fixture.js';

const opened: FolderWorktrees[] = [];

/** A worktree that is gone when its test has ended. */
export function openWorktrees(files: Record<string, string>): FolderWorktrees {
  const worktrees = new FolderWorktrees(files);
  opened.push(worktrees);
  return worktrees;
}

/** To be called once in each spec that opens worktrees. */
export const closesWorktrees = (): void =>
  afterEach(async () => {
    for (const worktrees of opened.splice(0)) await worktrees.close();
  });

/** A task run to its end, with a model that says what the script has for each turn of a conversation. */
export async function played(
  script: (turn: number, wish: ChatWish, asked: number) => Said,
  change: Partial<AgentTask> = {},
) {
  const worktrees = openWorktrees({ 'readme.md': '# A project\n' });
  const desk = new ScriptedDesk((wish, asked) => script(turnOf(wish), wish, asked));
  const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
  const { worktree, startCommit } = worktrees;
  const stage = new AgentStage(runtime, sampleTask(change), { worktree, startCommit });
  await stage.drive();
  return { stage, desk, worktrees, told: (type: string) => stage.events.filter((event) => event.type === type) };
}

/** What the tools of the turn before said. */
export function results(wish: ChatWish | undefined): readonly { readonly text: string; readonly isError: boolean }[] {
  const last = wish?.messages.at(-1);
  return last?.role === 'tools' ? last.results : [];
}
