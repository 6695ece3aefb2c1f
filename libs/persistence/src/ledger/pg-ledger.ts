import type pg from 'pg';
import { type Clock, WorldError } from '#kernel';
import type { BudgetCaps, Ledger, NewCall, Reservation, Settlement } from '#models';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { type BatchItem, BatchWriter } from './batch.js';
import { Batcher } from './batcher.js';
import { insertBudget } from './budget-rows.js';
import { KnownRoots } from './known-roots.js';
import { BudgetWatch } from './budget-watch.js';
import type { WantedCall } from './call-rows.js';
import { SWEEP_LOST } from './ledger.sql.js';
import { fingerprintOf, fullOf, type ReserveRow } from './verdict.js';

export interface PgLedgerOptions {
  readonly clock: Clock;
  /** Of a project that has no budget of its own making, such as one of an earlier version. */
  readonly defaults: BudgetCaps;
  /** How often to look for what other processes settled. */
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 200;
const FINGERPRINT = `SELECT cap_nano AS "capNano", cap_tokens AS "capTokens", used_nano AS "usedNano",
  used_tokens AS "usedTokens", reserved_nano AS "reservedNano", reserved_tokens AS "reservedTokens"
  FROM budget WHERE root_id = $1`;

/**
 * The ledger in Postgres. Reservations and settlements that are ready together become one statement, so parallel calls
 * on one budget share its lock and its commit.
 */
export class PgLedger implements Ledger {
  private readonly batches: Batcher<BatchItem, ReserveRow | null>;
  private readonly watch: BudgetWatch;
  private readonly roots: KnownRoots;
  /** Those that are known to have a budget. */
  private readonly budgets = new Set<string>();
  /** The budgets that open calls draw on. */
  private readonly open = new Map<string, string>();
  /** Calls about which the database was asked and did not answer: they may be there. */
  private readonly unsure = new Set<string>();
  /** What each budget was like when it last had no room. */
  private readonly full = new Map<string, string>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly options: PgLedgerOptions,
  ) {
    this.roots = new KnownRoots(pool);
    const writer = new BatchWriter(pool);
    this.batches = new Batcher((items) => writer.run(items));
    const { clock, lookEveryMs = LOOK_EVERY_MS } = options;
    this.watch = new BudgetWatch((rootId) => this.fingerprint(rootId), clock, lookEveryMs);
  }

  async reserve(call: NewCall): Promise<Reservation> {
    const rootId = await this.roots.of(call.about.lease.projectId);
    if (rootId === null) return { kind: 'stale' };
    if (this.unsure.has(call.id) && (await this.isOpen(call.id))) return this.reserved(call.id, rootId);
    for (;;) {
      const row = await this.ask({ rootId, call });
      if (row?.isAdmitted) return this.reserved(call.id, rootId);
      // The one whose answer was lost may be what fills the budget now.
      if (this.unsure.has(call.id) && (await this.isOpen(call.id))) return this.reserved(call.id, rootId);
      this.unsure.delete(call.id);
      if (row && !row.fits) {
        this.full.set(rootId, fingerprintOf(row));
        return fullOf(row, call.reserved);
      }
      // It fitted, and so did others of its batch, but not all of them; or there was no budget to draw on.
      if (!row && !(await this.hadNoBudget(rootId))) return { kind: 'stale' };
    }
  }

  async settle(callId: string, settlement: Settlement): Promise<void> {
    const rootId = this.open.get(callId) ?? (await this.rootOfCall(callId));
    this.unsure.delete(callId);
    if (rootId === null) return;
    await this.batches.add({ kind: 'settle', id: callId, rootId, settlement });
    this.open.delete(callId);
    this.watch.tell(rootId);
  }

  async changed(projectId: string, ms: number, signal: AbortSignal): Promise<void> {
    const rootId = await this.roots.of(projectId);
    if (rootId !== null) await this.watch.changed(rootId, this.full.get(rootId) ?? null, ms, signal);
  }

  /** Calls that nobody will settle any more count in full from now on. Resolves to how many there were. */
  async sweepLost(): Promise<number> {
    const { rows } = await inWorldlyTerms(() => this.pool.query<{ rootId: string }>(SWEEP_LOST));
    for (const { rootId } of rows) this.watch.tell(rootId);
    return rows.length;
  }

  private async ask(wanted: WantedCall): Promise<ReserveRow | null> {
    try {
      return await this.batches.add({ kind: 'reserve', ...wanted });
    } catch (error) {
      if (error instanceof WorldError && error.code === 'ANSWER_LOST') this.unsure.add(wanted.call.id);
      throw error;
    }
  }

  private reserved(callId: string, rootId: string): Reservation {
    this.unsure.delete(callId);
    this.open.set(callId, rootId);
    return { kind: 'reserved', callId };
  }

  /** Whether there may have been none: then there is one now. */
  private async hadNoBudget(rootId: string): Promise<boolean> {
    if (this.budgets.has(rootId)) return false;
    await inWorldlyTerms(() => insertBudget(this.pool, rootId, this.options.defaults));
    this.budgets.add(rootId);
    return true;
  }

  private async rootOfCall(callId: string): Promise<string | null> {
    const sql = 'SELECT root_id AS "rootId" FROM model_call WHERE id = $1';
    const { rows } = await inWorldlyTerms(() => this.pool.query<{ rootId: string }>(sql, [callId]));
    return rows[0]?.rootId ?? null;
  }

  private async isOpen(callId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM model_call WHERE id = $1 AND status = 'open'`;
    return (await inWorldlyTerms(() => this.pool.query(sql, [callId]))).rowCount === 1;
  }

  /** Null where nobody can tell: whoever waits then asks for his reservation, and meets what is wrong there. */
  private async fingerprint(rootId: string): Promise<string | null> {
    const { rows } = await this.pool.query<ReserveRow>(FINGERPRINT, [rootId]).catch(() => ({ rows: [] }));
    return rows[0] ? fingerprintOf(rows[0]) : null;
  }
}
