import { UserError } from '#kernel';

/** Money is counted in whole nano-dollars and written as a decimal text: a binary fraction would keep neither. */
const DECIMALS = 9;
const SHORTEST_FRACTION = 2;
const NANO_PER_USD = 10n ** BigInt(DECIMALS);

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

/** Throws AMOUNT_INVALID for what is no amount of money. */
export function nanoOf(usd: string): bigint {
  const [, whole, fraction = ''] = AMOUNT.exec(usd) ?? [];
  if (whole === undefined) {
    throw new UserError('AMOUNT_INVALID', `"${usd.slice(0, 40)}" is no amount in USD: write it as in "40.00"`);
  }
  return BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/** Exact, with at least two decimals. */
export function usdOf(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const fraction = (size % NANO_PER_USD).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${String(size / NANO_PER_USD)}.${fraction.padEnd(SHORTEST_FRACTION, '0')}`;
}

const PRICE = /^(\d{1,6})(?:\.(\d{1,12}))?$/;

/** A price in USD for a million tokens, in nano-dollars; what is finer is rounded up. Null: it is no price. */
export function nanoPerMillion(usd: number | string): bigint | null {
  const [, whole, fraction = ''] = PRICE.exec(typeof usd === 'number' ? decimal(usd) : usd) ?? [];
  if (whole === undefined) return null;
  const finer = /[1-9]/.test(fraction.slice(DECIMALS)) ? 1n : 0n;
  return BigInt(whole) * NANO_PER_USD + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0')) + finer;
}

/** The shortest decimal that means this number, also where it would be written with an exponent. */
const decimal = (value: number): string =>
  String(value).includes('e') && value >= 0 ? value.toFixed(12) : String(value);
