import type pg from 'pg';

type Client = Pick<pg.PoolClient, 'query'>;

const KEY = 'hashtextextended($1, 0)';
const nameOf = (projectId: string): string => `fork/${projectId}`;

/**
 * Whoever makes a fork has it from before the first file until the project is there, or its process is gone: both end
 * with the transaction.
 */
export async function lockFork(client: Client, projectId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${KEY})`, [nameOf(projectId)]);
}

/** False where somebody makes it at this moment. */
export async function lockForkIfFree(client: Client, projectId: string): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${KEY}) AS free`, [
    nameOf(projectId),
  ]);
  return rows[0]?.free === true;
}
