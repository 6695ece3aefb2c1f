import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PgNotes, PgPace } from '#persistence';
import type { Operation } from '../http/index.js';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';
import { EngineNoteDesk } from './note-desk.js';

let world: DeskWorld;
let notes: EngineNoteDesk;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  notes = new EngineNoteDesk({ ...world.parts, notes: new PgNotes(world.pool) });
});
afterAll(() => world.close());

const textsOf = async (id: string): Promise<string[]> =>
  (await notes.list(id, { limit: 50 })).data.map(({ text }) => text);

describe('a note', () => {
  it('is kept with who gave it, under the id of its operation, and once for each', async () => {
    const { id, name } = await world.start();
    const once: Operation = { ...operation(), by: { keyId: 'the-key', principal: 'service' } };
    const accepted = { id: once.id, projectId: id, number: 1, agent: 'worker' };
    expect(await notes.give(name, { text: 'go left', agent: 'worker' }, once)).toEqual(accepted);
    expect(await notes.give(id, { text: 'go left', agent: 'worker' }, once)).toEqual(accepted);
    expect((await notes.list(name, { limit: 50 })).data).toMatchObject([
      { ...accepted, text: 'go left', by: 'service', key: 'the-key', deliveries: [] },
    ]);
    expect(await world.events(id, 'note.given')).toEqual([
      { note: once.id, number: 1, agent: 'worker', text: 'go left', by: 'service', key: 'the-key' },
    ]);
    expect(await world.signals(id)).toEqual([]);
  });

  it('is counted, and of one key no more are kept than its pace allows', async () => {
    const counted: string[] = [];
    const countsNotes = (outcome: string) => counted.push(outcome);
    const desk = new EngineNoteDesk({ ...world.parts, notes: new PgNotes(world.pool), pace: new PgPace(world.pool, 1), countsNotes }); // prettier-ignore
    const { id } = await world.start();
    const { by } = operation();
    await desk.give(id, { text: 'first' }, { ...operation(), by });
    await expect(desk.give(id, { text: 'second' }, { ...operation(), by })).rejects.toMatchObject({
      code: 'STEERED_TOO_FAST',
    });
    await expect(desk.give(id, { text: 'third', agent: 'nobody' }, operation())).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
    });
    expect([await textsOf(id), counted]).toEqual([['first'], ['accepted', 'limited', 'refused']]);
  });

  it('outlives a restore, and goes along with a fork, whichever checkpoint it is of', async () => {
    const { id } = await world.start();
    await notes.give(id, { text: 'first' }, operation());
    await world.set(id, `status = 'paused'`);
    await notes.give(id, { text: 'while it is paused' }, operation());
    await world.desk.restore(id, 1, operation());
    expect(await textsOf(id)).toEqual(['first', 'while it is paused']);
    const once = operation();
    const fork = await world.desk.fork(id, 1, once);
    await notes.give(id, { text: 'to the origin' }, operation());
    await world.desk.fork(id, 1, once);
    expect(await textsOf(fork.id)).toEqual(['first', 'while it is paused']);
  });

  it('is refused for whom there is not, for a child, and at the end', async () => {
    const [root, child] = [await world.start(), await world.start()];
    await world.set(child.id, `parent_id = $2, parent_key = 'a', parent_visit = 1`, root.id);
    await expect(notes.give(root.id, { text: 'x', agent: 'nobody' }, operation())).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
      details: { agents: ['worker'] },
    });
    await expect(notes.give(child.id, { text: 'x' }, operation())).rejects.toMatchObject({
      code: 'PROJECT_IS_CHILD',
      message: expect.stringContaining(root.name) as string,
    });
    const once = operation();
    await notes.give(root.id, { text: 'in time' }, once);
    await world.set(root.id, `status = 'aborted'`);
    await expect(notes.give(root.id, { text: 'x', agent: 'nobody' }, operation())).rejects.toMatchObject({
      code: 'PROJECT_ENDED',
    });
    expect(await notes.give(root.id, { text: 'in time' }, once)).toMatchObject({ id: once.id, number: 1 });
    expect(await textsOf(child.id)).toEqual(['in time']);
  });
});
