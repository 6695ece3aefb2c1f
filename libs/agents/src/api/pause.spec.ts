import { expect, it } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import { NotesInMemory } from '../notes/notes.fixture.js';
import { apiRuntime } from './api-runtime.js';
import { closesWorktrees, openWorktrees } from './played.fixture.js';
import { NoSandbox, ScriptedDesk, turnOf } from './world.fixture.js';

closesWorktrees();

it('an agent is paused at the next safe point: the call under way ends and is kept, nothing else is begun', async () => {
  const worktrees = openWorktrees({ 'readme.md': '# A project\n' });
  const notes = new NotesInMemory();
  const desk = new ScriptedDesk(async (wish) => {
    if (turnOf(wish) === 2) await stage.command('PAUSE');
    return turnOf(wish) < 4
      ? { calls: [['write_file', { path: `${String(turnOf(wish))}.txt`, content: 'x' }]] }
      : { text: 'done' };
  });
  const runtime = apiRuntime({ desk, worktrees, notes, sandbox: new NoSandbox() });
  const { worktree, startCommit } = worktrees;
  const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect([desk.wishes.length, stage.store.projects.get(stage.id)?.status]).toEqual([2, 'paused']);
  // The tools that the answer calls are the next effect: they wait too.
  expect(Object.keys(worktrees.filesNow()).sort()).toEqual(['1.txt', 'readme.md']);
  notes.give('said while it was paused');
  await stage.command('RESUME');
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done', turns: 4 });
  expect(desk.wishes.map(turnOf)).toEqual([1, 2, 3, 4]);
  expect(JSON.stringify(desk.wishes[2]?.messages.at(-1))).toContain('said while it was paused');
  expect(Object.keys(worktrees.filesNow()).sort()).toEqual(['1.txt', '2.txt', '3.txt', 'readme.md']);
});
