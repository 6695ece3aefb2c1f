import { expect, it } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import { NotesInMemory } from '../notes/notes.fixture.js';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened } from './played-cli.fixture.js';

closesWorlds();

it('what was said before a run is in its prompt, what is said during it in its next call; each is told of once', async () => {
  const notes = new NotesInMemory();
  const world = await openCliWorld({ ...around({}), notes });
  opened.push(world);
  const { server, worktree, startCommit, runtime } = world;
  const task = sampleTask();
  notes.give('said before');
  notes.give('said to another', 'somebody-else');
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  server.use(({ turn }) => {
    if (turn === 0) notes.give('said during', task.role);
    return turn < 2 ? { toolCalls: [{ name: 'Write', input }] } : { text: 'It is made.' };
  });
  const stage = new AgentStage(runtime, task, { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'It is made.' });
  const asked = server.calls.map(({ body }) => body as { system: unknown; messages: unknown[] });
  const told = asked.map(({ system, messages: [prompt] }) =>
    ['said before', 'said during'].map((words) => [prompt, system].map((one) => JSON.stringify(one).includes(words))),
  );
  const [inPrompt, nowhere, inSystem] = [[true, false], [false, false], [false, true]]; // prettier-ignore
  expect(told).toEqual([
    [inPrompt, nowhere],
    [inPrompt, inSystem],
    [inPrompt, inSystem],
  ]);
  expect(JSON.stringify(asked)).not.toContain('said to another');
  const events = stage.events.filter(({ type }) => type === 'note.delivered').map(({ data }) => data);
  expect(events).toMatchObject([
    { note: 'note-1', number: 1, role: task.role, call: expect.stringMatching(/\/run$/) as string },
    { note: 'note-3', number: 3, role: task.role },
  ]);
});

it('a run is warned in its calls once 80 % of its turns are used', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { server, worktree, startCommit, runtime } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  server.use(({ turn }) => (turn < 4 ? { toolCalls: [{ name: 'Write', input }] } : { text: 'It is made.' }));
  const task = sampleTask({ limits: { turns: 5, wallMs: 60_000, maxOutputTokens: 1_000 } });
  const stage = new AgentStage(runtime, task, { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished' });
  const warned = server.calls.map(({ body }) => JSON.stringify(body['system']).includes('1 turn of 5'));
  expect(warned).toEqual([false, false, false, false, true]);
});
