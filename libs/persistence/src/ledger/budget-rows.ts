import type pg from 'pg';
import type { BudgetCaps } from '#models';
import { capAsOf, capChanges } from './cap-history.js';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The caps of a new project. One that has some already keeps them. */
export async function insertBudget(client: Client, rootId: string, caps: BudgetCaps): Promise<void> {
  await client.query(
    'INSERT INTO budget (root_id, cap_nano, cap_tokens) VALUES ($1, $2, $3) ON CONFLICT (root_id) DO NOTHING',
    [rootId, caps.nanoUsd, caps.tokens],
  );
}

/** A fork begins with the caps that its origin has, or had at the checkpoint, and has used nothing of them. */
export async function copyCaps(
  client: Client,
  { projectId, seq }: { readonly projectId: string; readonly seq: number },
  to: string,
  otherwise: BudgetCaps,
): Promise<void> {
  const { rows } = await client.query<{ nano: string | null; tokens: string | null }>(
    'SELECT cap_nano AS nano, cap_tokens AS tokens FROM budget WHERE root_id = $1',
    [projectId],
  );
  const [caps] = rows;
  if (!caps) return insertBudget(client, to, otherwise);
  const nanoUsd = capAsOf(await capChanges(client, projectId), seq, caps.nano === null ? null : BigInt(caps.nano));
  await insertBudget(client, to, { nanoUsd, tokens: caps.tokens === null ? null : Number(caps.tokens) });
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
