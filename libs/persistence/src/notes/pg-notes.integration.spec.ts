import { describe, expect, it } from 'vitest';
import { Note } from '#contracts';
import { BLOT, newId, secrets } from '#kernel';
import { sampleSeed } from '#testing';
import { useDatabase } from '../projects/database.fixture.js';
import { appendEvents } from '../projects/event-group.js';
import { PgHistory } from '../projects/pg-history.js';
import { insertProject } from '../projects/new-project.js';
import { inTransaction } from '../projects/pool.js';
import { copyNotes, giveNote, type NewNote } from './give-note.js';
import { PgNotes } from './pg-notes.js';

const database = useDatabase('notes');
const notes = (): PgNotes => new PgNotes(database.pool);

const given = (projectId: string, text: string, more: Partial<NewNote> = {}) =>
  giveNote(database.pool, { id: newId(), projectId, agent: null, text, by: 'human', keyId: 'k', ...more });

const eventsOf = async (projectId: string): Promise<string[]> => {
  const sql = 'SELECT events FROM event_group WHERE project_id = $1 ORDER BY seq';
  return (await database.pool.query<{ events: string }>(sql, [projectId])).rows.map(({ events }) => events);
};

async function childOf(parentId: string): Promise<string> {
  const seed = { ...sampleSeed({}, { parent: { id: parentId, key: 'review', visit: 1 } }), number: null };
  const more = { mode: 'sample', options: {}, labels: {}, parentIncarnation: 1, events: [] };
  await inTransaction(database.pool, (client) => insertProject(client, { ...seed, ...more }, null));
  return seed.facts.id;
}

const textsAfter = async (projectId: string, agent: string, seen = 0, most = 50): Promise<string[]> =>
  (await notes().after(projectId, agent, seen, most)).map(({ text }) => text);

describe('notes', () => {
  it('are numbered without a gap, whoever gives them at once, and each is told of', async () => {
    const id = await database.sample();
    const all = await Promise.all(Array.from({ length: 12 }, (_, nth) => given(id, `note ${String(nth)}`)));
    expect(all.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, nth) => nth + 1),
    );
    expect((await eventsOf(id)).filter((one) => one.includes('"note.given"'))).toHaveLength(12);
    const order = (await notes().after(id, 'x', 0, 50)).map(({ number }) => number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('are seen in the order of their numbers while others are being given', async () => {
    const id = await database.sample();
    const store = notes();
    let isOver = false;
    const seen: number[] = [];
    const reader = (async () => {
      while (!isOver || seen.length < 20) {
        for (const { number } of await store.after(id, 'x', seen.at(-1) ?? 0, 50)) seen.push(number);
      }
    })();
    await Promise.all(Array.from({ length: 20 }, (_, nth) => given(id, String(nth))));
    isOver = true;
    await reader;
    expect(seen).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1));
  });

  it('are given once, however often the same is sent, also when the project has ended meanwhile', async () => {
    const id = await database.sample();
    const same = { id: newId() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => given(id, 'once', same)));
    await database.pool.query(`UPDATE project SET status = 'completed' WHERE id = $1`, [id]);
    answers.push(await given(id, 'once', same));
    expect(new Set(answers.map(({ number }) => number))).toEqual(new Set([1]));
    expect(await textsAfter(id, 'x')).toEqual(['once']);
    await expect(given(id, 'late')).rejects.toMatchObject({ code: 'PROJECT_ENDED' });
    await expect(given(newId(), 'nowhere')).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  });

  it('reach the agent that they name, or all, of the project and of its children, after what was seen', async () => {
    const id = await database.sample();
    const child = await childOf(id);
    await given(id, 'to all');
    await given(id, 'to one', { agent: 'one' });
    await given(id, 'to two', { agent: 'two' });
    expect(await textsAfter(id, 'one')).toEqual(['to all', 'to one']);
    expect(await textsAfter(child, 'two')).toEqual(['to all', 'to two']);
    expect(await textsAfter(child, 'two', 1)).toEqual(['to two']);
    expect(await textsAfter(id, 'one', 0, 1)).toEqual(['to one']);
    expect(await textsAfter(await database.sample(), 'one')).toEqual([]);
  });

  it('carry no secret, neither themselves nor in their events', async () => {
    const id = await database.sample();
    const forget = secrets.learn('a-password-nobody-may-read-0123');
    await given(id, `use a-password-nobody-may-read-0123\n"quoted"`);
    forget();
    expect(await textsAfter(id, 'x')).toEqual([`use ${BLOT}\n"quoted"`]);
    expect((await eventsOf(id)).join('')).not.toContain('nobody-may-read');
  });

  it('are listed page by page, each with whom it reached, of a child too', async () => {
    const id = await database.sample();
    const child = await childOf(id);
    const [first, second] = [await given(id, 'first'), await given(id, 'second', { agent: 'one', by: 'service' })];
    const delivered = (note: string, role: string) => ({
      type: 'note.delivered',
      data: { note, number: 1, role, purpose: 'p', call: `1/2/${role}/1/chat` },
    });
    await appendEvents(database.pool, id, [
      delivered(first.id, 'one'),
      { type: 'other', data: {} },
      delivered(second.id, 'one'),
    ]);
    await appendEvents(database.pool, child, [delivered(first.id, 'reviewer')]);
    const one = await notes().list(id, { limit: 1 });
    const two = await notes().list(child, { limit: 1, cursor: one.nextCursor ?? '' });
    for (const note of [...one.data, ...two.data]) Note.parse(note);
    expect(one.data[0]).toMatchObject({ id: first.id, number: 1, agent: null, text: 'first', by: 'human', key: 'k' });
    expect(one.data[0]?.deliveries.map(({ agent, projectId }) => [agent, projectId])).toEqual([
      ['one', id],
      ['reviewer', child],
    ]);
    expect([two.data, two.nextCursor]).toMatchObject([[{ id: second.id, by: 'service', agent: 'one' }], null]);
    expect(two.data[0]?.deliveries).toMatchObject([{ agent: 'one', call: '1/2/one/1/chat' }]);
  });

  it('are unheard until a call of the project or of one of its children has carried them', async () => {
    const id = await database.sample();
    const child = await childOf(id);
    const [first, , third] = [await given(id, 'first'), await given(id, 'second', { agent: 'x' }), await given(id, 'third')]; // prettier-ignore
    const delivered = (note: string) => ({ type: 'note.delivered', data: { note, number: 1, role: 'x', call: 'c' } });
    await appendEvents(database.pool, id, [delivered(first.id)]);
    await appendEvents(database.pool, child, [delivered(third.id)]);
    const unheard = await new PgHistory(database.pool).unheard(id);
    expect(unheard).toEqual([{ number: 2, agent: 'x', text: 'second' }]);
  });

  it('go along with a fork, and part ways there', async () => {
    const [id, fork] = [await database.sample(), await database.sample()];
    await given(id, 'before');
    await inTransaction(database.pool, (client) => copyNotes(client, id, fork));
    await given(id, 'to the origin');
    expect((await given(fork, 'to the fork')).number).toBe(2);
    expect([await textsAfter(id, 'x'), await textsAfter(fork, 'x')]).toEqual([
      ['before', 'to the origin'],
      ['before', 'to the fork'],
    ]);
  });
});
