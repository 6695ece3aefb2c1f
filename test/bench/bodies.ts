import type pg from 'pg';

/** What the engine stores of its own for one transition, on average: the size that the baseline's rows get as well. */
export async function checkpointBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT round(avg(length(body) + pg_column_size(manifest)))::int AS bytes FROM checkpoint`,
  );
  return rows[0]?.bytes ?? 0;
}
