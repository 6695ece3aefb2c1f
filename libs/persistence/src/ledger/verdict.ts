import { type Amount, type Breaker, type Reservation, usdOf } from '#models';

/** What the database says of one wanted reservation. Amounts are texts: they may be larger than a number holds. */
export interface ReserveRow {
  readonly item: number;
  readonly isAdmitted: boolean;
  /** As things stood before the batch. */
  readonly fits: boolean;
  readonly capNano: string | null;
  readonly capTokens: string | null;
  readonly usedNano: string;
  readonly usedTokens: string;
  readonly reservedNano: string;
  readonly reservedTokens: string;
}

export const fingerprintOf = (row: ReserveRow): string =>
  [row.capNano, row.capTokens, row.usedNano, row.usedTokens, row.reservedNano, row.reservedTokens].join('/');

interface Side {
  readonly name: Breaker['name'];
  readonly cap: bigint | null;
  readonly used: bigint;
  readonly reserved: bigint;
  readonly wanted: bigint;
  readonly show: (amount: bigint) => string;
}

/** Why a reservation has no room: the cap that it can never keep before the one that others hold. */
export function fullOf(row: ReserveRow, wanted: Amount): Extract<Reservation, { kind: 'full' }> {
  const sides: readonly [Side, Side] = [
    {
      name: 'usd',
      cap: row.capNano === null ? null : BigInt(row.capNano),
      used: BigInt(row.usedNano),
      reserved: BigInt(row.reservedNano),
      wanted: wanted.nanoUsd,
      show: usdOf,
    },
    {
      name: 'tokens',
      cap: row.capTokens === null ? null : BigInt(row.capTokens),
      used: BigInt(row.usedTokens),
      reserved: BigInt(row.reservedTokens),
      wanted: BigInt(wanted.tokens),
      show: String,
    },
  ];
  const isOver = ({ cap }: Side, amount: bigint): boolean => cap !== null && amount > cap;
  const never = sides.find((side) => isOver(side, side.used + side.wanted));
  const now = sides.find((side) => isOver(side, side.used + side.reserved + side.wanted));
  const { name, cap, used, reserved, wanted: more, show } = never ?? now ?? sides[0];
  const breaker = { name, cap: show(cap ?? 0n), used: show(used), reserved: show(reserved), wanted: show(more) };
  return { kind: 'full', fitsAlone: never === undefined, breaker };
}
