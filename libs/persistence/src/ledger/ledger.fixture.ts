import type pg from 'pg';
import { newId, systemClock } from '#kernel';
import type { Amount, CallAbout, NewCall, Settlement } from '#models';
import { insertBudget } from './budget-rows.js';
import { PgLedger } from './pg-ledger.js';

export const WORKER = 'worker-of-the-ledger';
const LONG_MS = 600_000;

export interface BudgetRow {
  readonly capNano: bigint | null;
  readonly usedNano: bigint;
  readonly usedTokens: bigint;
  readonly reservedNano: bigint;
  readonly reservedTokens: bigint;
}

export const noCaps = { nanoUsd: null, tokens: null };

export const ledgerOn = (pool: pg.Pool): PgLedger =>
  new PgLedger(pool, { clock: systemClock, defaults: noCaps, lookEveryMs: 10 });

/** The sample project held by a live worker, with caps. */
export async function holdWithBudget(
  pool: pg.Pool,
  projectId: string,
  caps: { nanoUsd: bigint | null; tokens: number | null } = noCaps,
): Promise<void> {
  await hold(pool, projectId, 1);
  await insertBudget(pool, projectId, caps);
}

export async function hold(pool: pg.Pool, projectId: string, epoch: number, worker = WORKER): Promise<void> {
  await pool.query(
    `INSERT INTO worker (id, host, pid, pid_started_at, alive_until)
     VALUES ($1, 'here', 1, '1', now() + $2::int * interval '1 millisecond') ON CONFLICT (id) DO NOTHING`,
    [worker, LONG_MS],
  );
  const sql = 'UPDATE project SET lease_worker = $2, lease_epoch = $3 WHERE id = $1';
  await pool.query(sql, [projectId, worker, epoch]);
}

export const aboutOf = (projectId: string, change: Partial<CallAbout> = {}): CallAbout => ({
  lease: { projectId, workerId: WORKER, epoch: 1 },
  state: 'WORKING',
  agent: 'coder',
  purpose: 'test',
  prompt: null,
  attempt: 1,
  tier: 'small',
  effect: { key: 'step', run: 1 },
  ...change,
});

export const callOf = (about: CallAbout, reserved: Amount): NewCall => ({
  id: newId(),
  about,
  model: { provider: 'anthropic', model: 'claude-haiku-5-5' },
  isSimulated: false,
  priceVersion: 'test',
  reserved,
  traceId: null,
});

export const answered = (nanoUsd: bigint, tokens: number): Settlement => ({
  status: 'done',
  usage: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  costNanoUsd: nanoUsd,
  counted: { nanoUsd, tokens },
  durationMs: 5,
  answeredBy: 'claude-haiku-5-5',
  errorCode: null,
});

export async function budgetOf(pool: pg.Pool, rootId: string): Promise<BudgetRow> {
  const { rows } = await pool.query<Record<string, string | null>>(
    `SELECT cap_nano, used_nano, used_tokens, reserved_nano, reserved_tokens FROM budget WHERE root_id = $1`,
    [rootId],
  );
  const [row = {}] = rows;
  const big = (name: string): bigint => BigInt(row[name] ?? '0');
  return {
    capNano: row['cap_nano'] === null ? null : big('cap_nano'),
    usedNano: big('used_nano'),
    usedTokens: big('used_tokens'),
    reservedNano: big('reserved_nano'),
    reservedTokens: big('reserved_tokens'),
  };
}

/** Status and count of the calls of a budget. */
export async function callsOf(
  pool: pg.Pool,
  rootId: string,
): Promise<{ id: string; status: string; counted: bigint }[]> {
  const { rows } = await pool.query<{ id: string; status: string; counted: string | null }>(
    'SELECT id, status, counted_nano AS counted FROM model_call WHERE root_id = $1 ORDER BY id',
    [rootId],
  );
  return rows.map(({ id, status, counted }) => ({ id, status, counted: BigInt(counted ?? '0') }));
}
