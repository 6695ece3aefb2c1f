import { describe, expect, it } from 'vitest';
import { MemoryEntry, MemoryList, NewMemory } from '#contracts';
import { newId } from '#kernel';
import type { Lesson } from '#memory';
import { useDatabase } from '../projects/database.fixture.js';
import { PgMemory } from './pg-memory.js';
import { MOST_LESSONS } from './save.sql.js';

const database = useDatabase('memory');
const memoryOf = (): PgMemory => new PgMemory(database.pool);

let nth = 0;
/** A repository of its own for each test. */
const repository = (): string => `/repos/${String((nth += 1))}`;

const lesson = (repo: string | null, change: Partial<Lesson> = {}): Lesson => ({
  kind: 'successful_workaround', repo, domains: ['backend'], title: 'The port was taken',
  body: 'Vitest listens on port 51204; another run held it. Choose port 0.', project: '001-dark-mode', ...change,
}); // prettier-ignore

const recall = (repo: string, text: string, change: object = {}) =>
  memoryOf().recall({ text, repo, domains: [], most: 10, ...change });
const titles = async (repo: string, text: string, change: object = {}): Promise<string[]> =>
  (await recall(repo, text, change)).map(({ title }) => title);
const age = (repo: string, title: string, days: number): Promise<unknown> =>
  database.pool.query(
    `UPDATE memory SET learnt_at = learnt_at - $3 * interval '1 day', expires_at = expires_at - $3 * interval '1 day'
     WHERE repo = $1 AND title = $2`,
    [repo, title, days],
  );
const countOf = async (repo: string): Promise<number> =>
  (await database.pool.query('SELECT id FROM memory WHERE repo = $1', [repo])).rows.length;

describe('memory', () => {
  it('is found again by any word of a long question, in its repository only, with a score', async () => {
    const [here, there] = [repository(), repository()];
    await memoryOf().remember(lesson(here));
    await memoryOf().remember(lesson(null, { title: 'Zanzibar holds for every repository' }));
    const question = `Please make the tests of src/server/listen.ts pass: ${'unrelated words '.repeat(500)} ports!`;
    const [found] = await recall(here, question.replace('unrelated words ', 'ports '));
    expect(MemoryEntry.parse(found)).toEqual(found);
    expect(found).toMatchObject({ title: 'The port was taken', repo: here, project: '001-dark-mode', expiresAt: null });
    expect(found?.score).toBeGreaterThan(0);
    expect(await titles(there, 'port')).toEqual(['Zanzibar holds for every repository']);
    expect(await titles(there, 'taken')).toEqual([]);
    await database.pool.query('DELETE FROM memory WHERE repo IS NULL');
  });

  it('finds the parts of paths, hosts, tags and identifiers', async () => {
    const repo = repository();
    await memoryOf().remember(lesson(repo, { body: 'src/login_form.tsx <Quokka> wombat.example.org FOO_NUMBAT=1' }));
    for (const word of ['login', 'form.tsx', 'quokka', 'wombat', 'numbat', 'src/login_form.tsx']) {
      expect([word, await titles(repo, word)]).toEqual([word, ['The port was taken']]);
    }
  });

  it.each([
    '', ' ', '&|!()', "'; DROP TABLE memory; --", ':* <-> \\', 'a\u0000b \ud800', '\ufffd\u0301', 'the of and',
    '__proto__ constructor', 'ﷺ नमस्ते 你好 𠀀𠀁', 'x'.repeat(1_000_000), '(a+)+'.repeat(10_000), '1e5 -3.2 0x1f 10.0.0.1/8',
  ])('takes any text for a question (%#)', async (text) => {
    expect(await titles(repository(), text)).toEqual([]);
  }); // prettier-ignore

  it('weighs what it finds by domain, age and kind', async () => {
    const repo = repository();
    const about = (title: string, change: Partial<Lesson> = {}): Promise<void> =>
      memoryOf().remember(lesson(repo, { title, body: 'flaky kangaroo', ...change }));
    await about('seen', { kind: 'error_pattern' });
    await about('worked');
    await about('old');
    await about('ui', { kind: 'error_pattern', domains: ['Frontend'] });
    await age(repo, 'old', 60);
    expect(await titles(repo, 'kangaroo')).toEqual(['worked', expect.any(String), expect.any(String), 'old']);
    expect(await titles(repo, 'kangaroo', { domains: ['frontend'] })).toEqual(['ui', 'worked', 'seen', 'old']);
    expect(await titles(repo, 'kangaroo', { kinds: ['error_pattern'], domains: ['frontend'], most: 1 })).toEqual([
      'ui',
    ]);
  });

  it('makes one entry of the same effect, and of the same words, which are young again', async () => {
    const repo = repository();
    const once = lesson(repo, { effect: 'p/1/heal', domains: ['one'] });
    await memoryOf().remember(once);
    await memoryOf().remember({ ...once, body: 'in other words' });
    expect(await countOf(repo)).toBe(1);
    await age(repo, once.title, 300);
    const [old] = await recall(repo, 'port');
    await memoryOf().remember({ ...once, effect: 'p/2/heal', project: null, domains: ['two'] });
    const [young, ...others] = await recall(repo, 'port');
    expect(others).toEqual([]);
    expect(young).toMatchObject({ id: old?.id, createdAt: old?.createdAt, project: '001-dark-mode' });
    expect(young?.domains.toSorted()).toEqual(['one', 'two']);
    expect(young?.score).toBeGreaterThan(100 * (old?.score ?? NaN));
    await Promise.all(Array.from({ length: 8 }, () => memoryOf().remember(lesson(repo, { title: 'At once' }))));
    expect(await countOf(repo)).toBe(2);
  });

  it('forgets failures after ninety days, unless they are learnt again, and sweeps them', async () => {
    const repo = repository();
    const failed = lesson(repo, { kind: 'failed_approach', title: 'Pinning did not help' });
    await memoryOf().remember(failed);
    await memoryOf().remember(lesson(repo));
    await age(repo, failed.title, 89);
    expect(await titles(repo, 'pinning')).toEqual([failed.title]);
    await age(repo, failed.title, 2);
    expect(await titles(repo, 'pinning')).toEqual([]);
    expect((await memoryOf().list({ repo, kind: 'failed_approach', limit: 10 })).data).toEqual([]);
    await memoryOf().remember(failed);
    expect(await titles(repo, 'pinning')).toEqual([failed.title]);
    await age(repo, failed.title, 91);
    await memoryOf().remember(lesson(repo));
    expect(await countOf(repo)).toBe(1);
  });

  it('keeps so many lessons of a repository, those that were learnt last, and whatever a person wrote', async () => {
    const repo = repository();
    // The first of them a person wrote; they are a minute apart, the first one is the oldest.
    const many = `INSERT INTO memory (id, kind, repo, domains, title, body, project, fingerprint, learnt_at)
      SELECT gen_random_uuid(), 'error_pattern', $1, '{}', 'numbat ' || nth, 'old', CASE WHEN nth > 0 THEN '001-x' END,
        $1 || nth, now() - interval '1 year' + nth * interval '1 minute' FROM generate_series(0, $2::int) AS nth`;
    await database.pool.query(many, [repo, MOST_LESSONS + 2]);
    await memoryOf().remember(lesson(repository()));
    expect(await countOf(repo)).toBe(MOST_LESSONS + 3);
    const again = lesson(repo, { title: 'new' });
    await memoryOf().remember(again);
    await memoryOf().remember(again);
    const kept = await database.pool.query('SELECT title FROM memory WHERE repo = $1 ORDER BY learnt_at', [repo]);
    const names = (kept.rows as { title: string }[]).map(({ title }) => title);
    expect([names.length, ...names.slice(0, 2), names.at(-1)]).toEqual([
      MOST_LESSONS + 1,
      'numbat 0',
      'numbat 4',
      'new',
    ]);
    for (let round = 0; round < 10; round += 1) {
      const titled = (at: number): Lesson => lesson(repo, { title: `at once ${String(round)} ${String(at)}` });
      await Promise.all(Array.from({ length: 16 }, (_, at) => memoryOf().remember(titled(at))));
    }
    await memoryOf().remember(lesson(repo, { title: 'last' }));
    expect(await countOf(repo), 'as many as before').toBe(MOST_LESSONS + 1);
    await memoryOf().add(NewMemory.parse({ kind: 'error_pattern', repo, title: 'by a person', body: 'x' }), newId());
    expect(await countOf(repo)).toBe(MOST_LESSONS + 2);
  });

  it('keeps no secret, no broken character, and nothing that is too long', async () => {
    const repo = repository();
    const key = `sk-ant-api03-${'A1b2'.repeat(20)}`;
    await memoryOf().remember(
      lesson(repo, {
        title: `koala ${key}`,
        body: `koala\u0000 \ud83d ANTHROPIC_API_KEY=${key} ${'long '.repeat(200_000)}`,
        domains: [...Array.from({ length: 99 }, () => 'same'), '__proto__'],
      }),
    );
    const [entry] = await recall(repo, 'koala');
    expect(JSON.stringify(entry)).not.toContain('A1b2A1b2');
    expect(entry?.body.length).toBe(8_000);
    expect(entry?.body).not.toMatch(/\u0000|\p{Surrogate}/u);
    expect(entry?.domains).toEqual(['same', '__proto__']);
  });
});

describe('the list of the memory', () => {
  it('is newest first, page by page, or best first where something is asked', async () => {
    const repo = repository();
    for (const title of ['first', 'second', 'third']) await memoryOf().remember(lesson(repo, { title }));
    await memoryOf().remember(lesson(repo, { title: 'port port port', kind: 'error_pattern', body: 'port' }));
    const walk = async (query: object): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await memoryOf().list({ repo, limit: 2, ...query, ...(cursor !== undefined && { cursor }) });
        expect(MemoryList.parse(page)).toEqual(page);
        seen.push(...page.data.filter((entry) => entry.repo === repo).map(({ title }) => title));
        cursor = page.nextCursor;
      }
      return seen;
    };
    expect(await walk({})).toEqual(['port port port', 'third', 'second', 'first']);
    expect((await walk({ query: 'port of vitest' })).toSorted()).toEqual([
      'first',
      'port port port',
      'second',
      'third',
    ]);
    expect(await walk({ query: 'port', kind: 'error_pattern' })).toEqual(['port port port']);
    const timely = (await memoryOf().list({ limit: 1 })).nextCursor ?? '';
    const refused = memoryOf().list({ limit: 1, query: 'port', cursor: timely });
    await expect(refused).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('takes what people add, once for each operation, and forgets what they delete', async () => {
    const repo = repository();
    const order = NewMemory.parse({ kind: 'architectural_decision', repo, title: 'One queue', body: 'BullMQ it is' });
    const id = newId();
    const added = await memoryOf().add(order, id);
    expect(MemoryEntry.parse(added)).toMatchObject({ id, repo, domains: [], project: null, score: null });
    expect(await memoryOf().add(order, id)).toEqual(added);
    expect(await memoryOf().add(order, newId())).toEqual(added);
    const atOnce = await Promise.all(
      Array.from({ length: 6 }, () => memoryOf().add({ ...order, title: 'Two queues' }, newId())),
    );
    expect(new Set(atOnce.map((entry) => entry.id)).size).toBe(1);
    await memoryOf().forget(id);
    expect(await titles(repo, 'bullmq')).toEqual(['Two queues']);
    for (const unknown of [id, newId(), "'; --", '']) {
      await expect(memoryOf().forget(unknown)).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
    }
  });
});
