import type pg from 'pg';
import { reserveColumns, settleColumns, type WantedCall, type WantedSettlement } from './call-rows.js';
import { RESERVE, RESERVE_AGAIN, RESERVE_AND_SETTLE, SETTLE } from './ledger.sql.js';
import type { ReserveRow } from './verdict.js';

export type BatchItem = ({ readonly kind: 'reserve' } & WantedCall) | ({ readonly kind: 'settle' } & WantedSettlement);

/**
 * Writes batches, each as one statement, the leanest that does. A statement is planned for the table as it is then, and
 * not again until the database has looked at its size: so it gets a new name, and a new plan, each time that twice
 * as much was written. A plan made for an empty ledger would read all of a full one.
 */
export class BatchWriter {
  private written = 0;

  constructor(private readonly pool: pg.Pool) {}

  /** Answers in the order of the items: null for a settlement, or where none came. */
  async run(items: readonly BatchItem[]): Promise<readonly (ReserveRow | null)[]> {
    this.written += items.length;
    const { reserves, settles } = sorted(items);
    const { name, ...statement } = statementOf(reserves, settles);
    const planned = `${name}-${String(Math.floor(Math.log2(this.written)))}`;
    const { rows } = await this.pool.query<ReserveRow>({ name: planned, ...statement });
    const byPlace = new Map(rows.map((row) => [row.item, row]));
    return items.map((item, place) => (item.kind === 'reserve' ? (byPlace.get(place) ?? null) : null));
  }
}

interface Sorted {
  readonly reserves: readonly (readonly [place: number, wanted: WantedCall])[];
  readonly settles: readonly WantedSettlement[];
}

function sorted(items: readonly BatchItem[]): Sorted {
  const reserves: [number, WantedCall][] = [];
  const settles: WantedSettlement[] = [];
  for (const [place, item] of items.entries()) {
    if (item.kind === 'reserve') reserves.push([place, item]);
    else settles.push(item);
  }
  return { reserves, settles };
}

function statementOf(reserves: Sorted['reserves'], settles: Sorted['settles']) {
  if (reserves.length === 0) return { ...SETTLE, values: settleColumns(settles) };
  const isAgain = reserves.some(([, { call }]) => call.about.effect.run > 1);
  if (settles.length === 0 && !isAgain) return { ...RESERVE, values: reserveColumns(reserves) };
  const statement = isAgain ? RESERVE_AGAIN : RESERVE_AND_SETTLE;
  return { ...statement, values: [...reserveColumns(reserves), ...settleColumns(settles)] };
}
