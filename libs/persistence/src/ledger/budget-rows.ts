import type pg from 'pg';
import type { BudgetCaps } from '#models';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The caps of a new project. One that has some already keeps them. */
export async function insertBudget(client: Client, rootId: string, caps: BudgetCaps): Promise<void> {
  await client.query(
    'INSERT INTO budget (root_id, cap_nano, cap_tokens) VALUES ($1, $2, $3) ON CONFLICT (root_id) DO NOTHING',
    [rootId, caps.nanoUsd, caps.tokens],
  );
}

/** A fork begins with the caps of its origin, and has used nothing of them. */
export async function copyCaps(client: Client, from: string, to: string, otherwise: BudgetCaps): Promise<void> {
  await client.query(
    `INSERT INTO budget (root_id, cap_nano, cap_tokens)
     SELECT $2, cap_nano, cap_tokens FROM budget WHERE root_id = $1 ON CONFLICT (root_id) DO NOTHING`,
    [from, to],
  );
  await insertBudget(client, to, otherwise);
}

/** Those of this project and all below it that have not ended. */
export async function familyUnderWay(client: Client, projectId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH RECURSIVE family AS (
       SELECT id, status FROM project WHERE id = $1
       UNION SELECT p.id, p.status FROM family f JOIN project p ON p.parent_id = f.id
     )
     SELECT id FROM family WHERE status NOT IN ('completed', 'aborted', 'failed')`,
    [projectId],
  );
  return rows.map(({ id }) => id);
}

/** The project that no other started, above this one or itself; null where there is no such project. */
export async function rootOf(client: Client, projectId: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `WITH RECURSIVE line AS (
       SELECT id, parent_id FROM project WHERE id = $1
       UNION SELECT p.id, p.parent_id FROM line JOIN project p ON p.id = line.parent_id
     )
     SELECT id FROM line WHERE parent_id IS NULL`,
    [projectId],
  );
  return rows[0]?.id ?? null;
}
