import type pg from 'pg';
import { reserveColumns, settleColumns, type WantedCall, type WantedSettlement } from './call-rows.js';
import { RESERVE, RESERVE_AND_SETTLE, SETTLE } from './ledger.sql.js';
import type { ReserveRow } from './verdict.js';

export type BatchItem = ({ readonly kind: 'reserve' } & WantedCall) | ({ readonly kind: 'settle' } & WantedSettlement);

/** One statement, the leanest that does for these. Answers in their order: null for a settlement, or where none came. */
export async function runBatch(pool: pg.Pool, items: readonly BatchItem[]): Promise<readonly (ReserveRow | null)[]> {
  const reserves: [number, WantedCall][] = [];
  const settles: WantedSettlement[] = [];
  for (const [place, item] of items.entries()) {
    if (item.kind === 'reserve') reserves.push([place, item]);
    else settles.push(item);
  }
  const { rows } = await pool.query<ReserveRow>(statementOf(reserves, settles));
  const byPlace = new Map(rows.map((row) => [row.item, row]));
  return items.map((item, place) => (item.kind === 'reserve' ? (byPlace.get(place) ?? null) : null));
}

function statementOf(reserves: readonly [number, WantedCall][], settles: readonly WantedSettlement[]): pg.QueryConfig {
  if (reserves.length === 0) return { ...SETTLE, values: settleColumns(settles) };
  const isAgain = reserves.some(([, { call }]) => call.about.effect.run > 1);
  if (settles.length === 0 && !isAgain) return { ...RESERVE, values: reserveColumns(reserves) };
  return { ...RESERVE_AND_SETTLE, values: [...reserveColumns(reserves), ...settleColumns(settles)] };
}
