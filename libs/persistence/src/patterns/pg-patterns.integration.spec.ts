import { describe, expect, it } from 'vitest';
import { HealPattern, HealPatternList } from '#contracts';
import { newId } from '#kernel';
import type { Fix } from '#self-heal';
import { useDatabase } from '../projects/database.fixture.js';
import { MOST_PATTERNS, PgPatterns } from './pg-patterns.js';

const database = useDatabase('patterns');
const opened = (): PgPatterns => new PgPatterns(database.pool);
/** A repository of its own for each test. */
const fixIn = (repo: string, more: Partial<Fix> = {}): Fix => ({
  repo, signature: 'a'.repeat(64), error: 'TypeError: sum', fix: 'export it', diff: '+export', tier: 'small',
  project: '001-sum', ...more,
}); // prettier-ignore

describe('a pattern', () => {
  it('is found once a fix has worked, in its repository and for its error only', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const fix = fixIn(repo);
    expect(await patterns.find(repo, fix.signature)).toBeNull();
    await patterns.worked(fix, 'one');
    const found = HealPattern.parse(await patterns.find(repo, fix.signature));
    expect(found).toMatchObject({ ...fix, successes: 1, failures: 0 });
    expect(await patterns.find(`${repo}/other`, fix.signature)).toBeNull();
    expect(await patterns.find(repo, 'b'.repeat(64))).toBeNull();
  });

  it('counts what worked and what failed, and keeps the newest fix', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    await patterns.worked(fixIn(repo), 'one');
    await patterns.failed(repo, signature, 'two');
    await patterns.worked(fixIn(repo, { fix: 'rename it', tier: 'large', project: '002-name' }), 'three');
    const newest = { fix: 'rename it', tier: 'large', project: '002-name', successes: 2, failures: 1 };
    expect(await patterns.find(repo, signature)).toMatchObject(newest);
  });

  it('counts an effect once, however often it is repeated and by however many at once', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    await Promise.all(Array.from({ length: 8 }, () => patterns.worked(fixIn(repo), 'same')));
    await Promise.all(Array.from({ length: 8 }, () => patterns.failed(repo, signature, 'same failure')));
    await Promise.all(Array.from({ length: 5 }, (_, nth) => patterns.worked(fixIn(repo), `other ${String(nth)}`)));
    await patterns.worked(fixIn(repo), 'same');
    expect(await patterns.find(repo, signature)).toMatchObject({ successes: 6, failures: 1 });
  });

  it('remembers the newest effects only', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    for (let nth = 1; nth <= 210; nth += 1) await patterns.worked(fixIn(repo), `effect ${String(nth)}`);
    const { rows } = await database.pool.query('SELECT effects FROM heal_pattern WHERE repo = $1', [repo]);
    const { effects } = rows[0] as { effects: string[] };
    expect([effects.length, effects[0], effects.at(-1)]).toEqual([200, 'effect 11', 'effect 210']);
  });

  it('is retired by its second failure: never handed out again, kept for history', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    for (const effect of ['one', 'two', 'three']) await patterns.worked(fixIn(repo), effect);
    await patterns.failed(repo, signature, 'four');
    expect(await patterns.find(repo, signature)).toMatchObject({ successes: 3, failures: 1, retiredAt: null });
    await patterns.failed(repo, signature, 'five');
    expect(await patterns.find(repo, signature)).toBeNull();
    await patterns.failed(repo, signature, 'six');
    const { data } = HealPatternList.parse(await patterns.list({ repo, limit: 5 }));
    expect(data).toMatchObject([{ repo, successes: 3, failures: 2, retiredAt: expect.any(String) as unknown }]);
  });

  it('begins anew with another fix after it was retired', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    await patterns.worked(fixIn(repo), 'one');
    for (const effect of ['two', 'three']) await patterns.failed(repo, signature, effect);
    await patterns.worked(fixIn(repo, { fix: 'rename it', diff: '+rename' }), 'four');
    expect(await patterns.find(repo, signature)).toMatchObject({ fix: 'rename it', successes: 1, failures: 0 });
    expect((await patterns.list({ repo, limit: 5 })).data).toHaveLength(2);
  });

  it('does not come back with the same fix after it was retired, whose success only counts for its history', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    await patterns.worked(fixIn(repo), 'one');
    for (const effect of ['two', 'three']) await patterns.failed(repo, signature, effect);
    for (const effect of ['four', 'four']) await patterns.worked(fixIn(repo), effect);
    await patterns.worked(fixIn(repo, { diff: '+other' }), 'one');
    expect(await patterns.find(repo, signature)).toBeNull();
    expect((await patterns.list({ repo, limit: 5 })).data).toMatchObject([{ successes: 2, failures: 2 }]);
  });

  it('is retired once if many report failures at once', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    const { signature } = fixIn(repo);
    await patterns.worked(fixIn(repo), 'one');
    await Promise.all(Array.from({ length: 8 }, (_, nth) => patterns.failed(repo, signature, `f${String(nth)}`)));
    expect((await patterns.list({ repo, limit: 5 })).data).toMatchObject([{ successes: 1, failures: 2 }]);
    expect(await patterns.find(repo, signature)).toBeNull();
  });

  it('goes where its repository has too many: what is retired first, then what was not used for longest', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    // They were used a minute apart, the first one longest ago; the last one is retired.
    const many = `INSERT INTO heal_pattern (id, repo, signature, error, fix, diff, tier, successes, failures, project, used_at, retired_at)
      SELECT gen_random_uuid(), $1, 'old ' || nth, '', '', '', 'small', 1, CASE WHEN nth = $2 THEN 2 ELSE 0 END, '001-x',
        now() - interval '1 year' + nth * interval '1 minute', CASE WHEN nth = $2 THEN now() END FROM generate_series(1, $2::int) AS nth`;
    await database.pool.query(many, [repo, MOST_PATTERNS]);
    const left = async (): Promise<string[]> => {
      const sql = 'SELECT signature FROM heal_pattern WHERE repo = $1 ORDER BY used_at';
      return ((await database.pool.query(sql, [repo])).rows as { signature: string }[]).map((row) => row.signature);
    };
    await patterns.worked(fixIn(`${repo}/other`), 'one');
    expect(await left()).toHaveLength(MOST_PATTERNS);
    for (const effect of ['two', 'three']) await patterns.worked(fixIn(repo, { signature: 'new' }), effect);
    const [oldest, ...others] = await left();
    expect([oldest, others.length]).toEqual(['old 1', MOST_PATTERNS - 1]);
    expect(others.slice(-2)).toEqual([`old ${String(MOST_PATTERNS - 1)}`, 'new']);
    await patterns.worked(fixIn(repo, { signature: 'newer' }), 'four');
    expect(await left()).toEqual([...others, 'newer']);
    for (let round = 0; round < 10; round += 1) {
      const signed = (at: number): Fix => fixIn(repo, { signature: `at once ${String(round)} ${String(at)}` });
      await Promise.all(Array.from({ length: 16 }, (_, at) => patterns.worked(signed(at), 'five')));
    }
    await patterns.worked(fixIn(repo, { signature: 'last' }), 'six');
    expect(await left()).toHaveLength(MOST_PATTERNS);
  });

  it('is not made by a failure', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    await patterns.failed(repo, 'a', 'one');
    expect((await patterns.list({ repo, limit: 5 })).data).toEqual([]);
  });

  it('holds no secret, nothing that Postgres cannot carry, and not more than anybody reads', async () => {
    const [patterns, repo] = [opened(), `/repo/\u0000\ud83d${'x'.repeat(4_000)}${newId()}`];
    const key = `sk-ant-${'aB3dE5gH7jK9'.repeat(4)}`;
    const fix = fixIn(repo, { error: `\u0000 ${key}`, fix: `\ud83d ${key}`, diff: `${key}\n${'y'.repeat(200_000)}` });
    await patterns.worked(fix, '__proto__');
    const found = await patterns.find(repo, fix.signature);
    expect(JSON.stringify(found)).not.toContain(key);
    expect(found?.error).toBe('\ufffd [secret]');
    expect(found?.diff.length).toBeLessThan(65_000);
  });
});

describe('the list of patterns', () => {
  it('has those of a repository, or all of them, used last first, page by page', async () => {
    const [patterns, repo] = [opened(), `/repo/${newId()}`];
    for (const signature of ['a', 'b', 'c']) await patterns.worked(fixIn(repo, { signature }), signature);
    // As if made a day apart: three in one millisecond would have no order.
    const older = `UPDATE heal_pattern SET used_at = now() - (ascii('d') - ascii(signature)) * interval '1 day' WHERE repo = $1`;
    await database.pool.query(older, [repo]);
    await patterns.failed(repo, 'a', 'again');
    const first = HealPatternList.parse(await patterns.list({ repo, limit: 2 }));
    const next = await patterns.list({ repo, limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.data, ...next.data].map(({ signature }) => signature)).toEqual(['a', 'c', 'b']);
    expect(next.nextCursor).toBeNull();
    await patterns.worked(fixIn(`${repo}/other`), 'x');
    expect((await patterns.list({ repo, limit: 9 })).data).toHaveLength(3);
    expect((await patterns.list({ limit: 9 })).data.length).toBeGreaterThan(3);
  });

  it('takes no cursor but its own', async () => {
    await expect(opened().list({ limit: 5, cursor: 'x' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });
});
