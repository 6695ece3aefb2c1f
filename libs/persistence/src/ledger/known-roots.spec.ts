import type pg from 'pg';
import { expect, it } from 'vitest';
import { KnownRoots } from './known-roots.js';

it('roots are asked for once each, and no more of them remembered than there is room for', async () => {
  const asked: string[] = [];
  const query = async (_sql: string, [id = '']: readonly string[]) => {
    asked.push(id);
    return { rows: id === 'nobody' ? [] : [{ id: `root of ${id}` }] };
  };
  const roots = new KnownRoots({ query } as unknown as pg.Pool, 2);
  for (const id of ['a', 'b', 'a', 'b']) expect(await roots.of(id)).toBe(`root of ${id}`);
  expect(asked).toEqual(['a', 'b']);
  // The one that was asked for first makes room.
  for (const id of ['c', 'b', 'c', 'a']) expect(await roots.of(id)).toBe(`root of ${id}`);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
  expect([await roots.of('nobody'), await roots.of('nobody')]).toEqual([null, null]);
  expect(asked.filter((id) => id === 'nobody')).toHaveLength(2);
});
