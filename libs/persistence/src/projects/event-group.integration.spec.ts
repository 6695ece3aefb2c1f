import { describe, expect, it } from 'vitest';
import { useDatabase } from './database.fixture.js';
import { appendEvents, eventsText, numberedEvents } from './event-group.js';

const database = useDatabase('event-group');

describe('the events of a write', () => {
  it('are one row, and keep their numbers and texts', () => {
    const events = [
      { type: 'one', data: { text: 'NUL \u0000 and "quotes"' } },
      { type: 'two', data: {} },
    ];
    expect(numberedEvents({ seq: 7, events: eventsText(events) })).toEqual([
      { seq: 6, ...events[0] },
      { seq: 7, ...events[1] },
    ]);
  });

  it('are seen one by one through the view, whatever they carry', async () => {
    const created = { type: 'project.created', data: { by: 'a test' } };
    const id = await database.sample([created]);
    const odd = { type: 'odd', data: { text: 'NUL \u0000' } };
    await appendEvents(database.pool, id, [odd, { type: 'last', data: {} }]);
    const { rows } = await database.pool.query('SELECT seq, type, data FROM event WHERE project_id = $1 ORDER BY seq', [
      id,
    ]);
    expect(rows).toEqual([
      { seq: 1, type: 'project.created', data: '{"by":"a test"}' },
      { seq: 2, type: 'odd', data: String.raw`{"text":"NUL \u0000"}` },
      { seq: 3, type: 'last', data: '{}' },
    ]);
    expect((await database.pool.query('SELECT 1 FROM event_group WHERE project_id = $1', [id])).rowCount).toBe(2);
  });

  it('leave no row when there are none', async () => {
    const id = await database.sample([]);
    expect((await database.pool.query('SELECT 1 FROM event WHERE project_id = $1', [id])).rowCount).toBe(0);
    expect((await database.pool.query('SELECT 1 FROM event_group WHERE project_id = $1', [id])).rowCount).toBe(0);
  });
});
