import { type Database, insertBudget, insertProject, inTransaction } from '#persistence';
import { sampleSeed } from '#testing';

/** Without caps a call is never refused: what is measured is what asking takes. */
export const NO_CAPS = { nanoUsd: null, tokens: null };

/** A project with a budget, held by the worker `bench` in its first epoch. Resolves to its id. */
export async function heldProject(pool: Database): Promise<string> {
  const seed = { ...sampleSeed(), number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null };
  const { id } = seed.facts;
  await inTransaction(pool, (client) => insertProject(client, { ...seed, events: [] }, null));
  await pool.query(`UPDATE project SET lease_worker = 'bench', lease_epoch = 1 WHERE id = $1`, [id]);
  await insertBudget(pool, id, NO_CAPS);
  return id;
}
