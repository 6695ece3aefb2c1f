import type pg from 'pg';
import type { PrincipalKind } from '#engine';
import { UserError } from '#kernel';
import { type BudgetCaps, usdOf } from '#models';
import { appendEvents } from '../projects/event-group.js';
import { inTransaction } from '../projects/pool.js';
import { sendSignal } from '../projects/send-signal.js';
import { insertBudget } from './budget-rows.js';
import { BUDGET_CHANGED, capAsOf, capChanges, isMoreThan, lastApproval } from './cap-history.js';

/** Event of a table that leads on when a cap was raised. */
export const BUDGET_RAISED = 'budget:raised';

export interface CapChange {
  readonly projectId: string;
  /** Done once for each: a repeated one changes nothing. */
  readonly operation: string;
  readonly by: PrincipalKind;
  /** Null where it follows from what a person decided elsewhere, as `because` says. */
  readonly keyId: string | null;
  readonly because?: string;
  /** The gate whose approval it follows from: what somebody has asked for since then stays. */
  readonly approvedAt?: string;
  readonly nanoUsd?: bigint;
  readonly tokens?: number;
  /** Projects that want to hear of a raised cap, and the visits in which they do. */
  readonly listeners: readonly { readonly projectId: string; readonly visit: number }[];
  /** The caps that are changed where the project had none. */
  readonly defaults: BudgetCaps;
}

interface Caps {
  readonly nano: bigint | null;
  readonly tokens: bigint | null;
}

/** New caps, the event that tells of them, and word to whoever waits for a raise: all or nothing. */
export async function changeCaps(pool: pg.Pool, change: CapChange): Promise<void> {
  const { projectId, operation, by, keyId, nanoUsd, tokens, listeners, defaults, because } = change;
  await inTransaction(pool, async (client) => {
    await mustBeChangeable(client, projectId);
    await insertBudget(client, projectId, defaults);
    const { changedBy, ...old } = await lockedCaps(client, projectId);
    // The column knows the last operation alone: somebody may have changed them after the one that is repeated.
    if (changedBy === operation || (await isSurpassed(client, change))) return;
    const caps: Caps = { nano: nanoUsd ?? old.nano, tokens: tokens === undefined ? old.tokens : BigInt(tokens) };
    const isRaised = isMoreThan(caps.nano, old.nano) || isMoreThan(caps.tokens, old.tokens);
    const isLowered = isMoreThan(old.nano, caps.nano) || isMoreThan(old.tokens, caps.tokens);
    if (isRaised && by !== 'human') {
      throw new UserError('HUMAN_REQUIRED', 'Raising a budget needs the API key of a human principal.');
    }
    await client.query('UPDATE budget SET cap_nano = $2, cap_tokens = $3, changed_by = $4 WHERE root_id = $1', [
      projectId,
      caps.nano,
      caps.tokens,
      operation,
    ]);
    const data = {
      from: shown(old),
      to: shown(caps),
      raised: isRaised,
      by,
      key: keyId,
      id: operation,
      ...(because !== undefined && { because }),
    };
    await appendEvents(client, projectId, [{ type: BUDGET_CHANGED, data }]);
    // Also when the same is said again: a project may have come to stand still after the raise that it did not hear of.
    if (by !== 'human' || (isLowered && !isRaised)) return;
    for (const { projectId: to, visit } of listeners) {
      await sendSignal(client, to, by, { kind: 'notice', id: operation, event: BUDGET_RAISED, visit });
    }
  });
}

/** Whether it was done before, or somebody has asked for another cap since the approval that it follows from. */
async function isSurpassed(client: pg.PoolClient, { projectId, operation, approvedAt }: CapChange): Promise<boolean> {
  const changes = await capChanges(client, projectId);
  if (changes.some((one) => one.operation === operation)) return true;
  const approved = approvedAt === undefined ? null : await lastApproval(client, projectId, approvedAt);
  return (
    approved !== null && changes.some(({ seq, isOfState, from, to }) => seq > approved && !isOfState && from !== to)
  );
}

/** The budget of a project that is brought back to a checkpoint, locked before the project itself is. */
export const lockCaps = async (client: pg.PoolClient, projectId: string): Promise<void> =>
  void (await lockedCaps(client, projectId));

/** Its cap goes back with it, where a later state had raised it, and the event says so. */
export async function restoreCaps(client: pg.PoolClient, projectId: string, seq: number): Promise<void> {
  const { changedBy: _, ...old } = await lockedCaps(client, projectId);
  const nano = capAsOf(await capChanges(client, projectId), seq, old.nano);
  if (nano === old.nano) return;
  await client.query('UPDATE budget SET cap_nano = $2, changed_by = NULL WHERE root_id = $1', [projectId, nano]);
  const because = `restored to checkpoint ${String(seq)}: what was approved behind it counts no more`;
  const data = { from: shown(old), to: shown({ ...old, nano }), raised: false, by: 'engine', key: null, because };
  await appendEvents(client, projectId, [{ type: BUDGET_CHANGED, data }]);
}

async function mustBeChangeable(client: pg.PoolClient, projectId: string): Promise<void> {
  const { rows } = await client.query<{ name: string; status: string; parent: string | null }>(
    `SELECT p.name, p.status, above.name AS parent FROM project p LEFT JOIN project above ON above.id = p.parent_id
     WHERE p.id = $1`,
    [projectId],
  );
  const [project] = rows;
  if (!project) throw new UserError('PROJECT_NOT_FOUND', `There is no project ${projectId}.`);
  const { name, status, parent } = project;
  if (parent !== null) {
    throw new UserError(
      'PROJECT_IS_CHILD',
      `${name} draws on the budget of the project that started it: change that of ${parent}`,
    );
  }
  if (['completed', 'aborted', 'failed'].includes(status)) {
    throw new UserError('PROJECT_ENDED', `the project has ended (${status}): it spends nothing any more`, { status });
  }
}

/** Locked before the project's own row, as reservations do. */
async function lockedCaps(
  client: pg.PoolClient,
  rootId: string,
): Promise<Caps & { readonly changedBy: string | null }> {
  const { rows } = await client.query<{ nano: string | null; tokens: string | null; changedBy: string | null }>(
    `SELECT cap_nano AS nano, cap_tokens AS tokens, changed_by AS "changedBy" FROM budget WHERE root_id = $1 FOR UPDATE`,
    [rootId],
  );
  const big = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text));
  return { nano: big(rows[0]?.nano), tokens: big(rows[0]?.tokens), changedBy: rows[0]?.changedBy ?? null };
}

const shown = ({ nano, tokens }: Caps) => ({
  usd: nano === null ? null : usdOf(nano),
  tokens: tokens === null ? null : Number(tokens),
});
