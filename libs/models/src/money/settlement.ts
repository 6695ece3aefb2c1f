import type { SpanFacts } from '#kernel';
import type { Usage } from '../model.port.js';
import { tokenCount } from '../token-count.js';
import type { Amount, Settlement } from './ledger.port.js';
import { usdOf } from './nano-usd.js';
import { costOf, countedTokens, type Price } from './price.js';

/** What became of a call, as whoever sent it knows. */
export interface CallOutcome {
  /** `unknown` where an answer had begun, or may have, and nobody said how much it took. */
  readonly billed: Usage | 'nothing' | 'unknown';
  /** Null: it was answered. */
  readonly errorCode: string | null;
  /** The model as the provider named it. */
  readonly answeredBy: string | null;
}

interface Settled {
  readonly outcome: CallOutcome;
  readonly price: Price;
  /** False: `price` is the worst case. */
  readonly isKnown: boolean;
  readonly reserved: Amount;
  readonly hasLongCache: boolean;
  readonly durationMs: number;
}

const NOTHING: Amount = { nanoUsd: 0n, tokens: 0 };

/** Of a call that something was set aside for, and that never left. */
export const NOT_SENT: Settlement = {
  status: 'failed',
  usage: null,
  costNanoUsd: 0n,
  counted: NOTHING,
  durationMs: 0,
  answeredBy: null,
  errorCode: 'MODEL_NOT_SENT',
};

export function settlementOf({ outcome, price, isKnown, reserved, hasLongCache, durationMs }: Settled): Settlement {
  const { errorCode, answeredBy } = outcome;
  const billed = isPlausible(outcome.billed) ? outcome.billed : 'unknown';
  const known = { status: statusOf(outcome), durationMs, answeredBy, errorCode };
  if (billed === 'nothing') return { ...known, usage: null, costNanoUsd: 0n, counted: NOTHING };
  if (billed === 'unknown') return { ...known, usage: null, costNanoUsd: null, counted: reserved };
  const nanoUsd = costOf(billed, price, hasLongCache);
  const counted = { nanoUsd, tokens: countedTokens(billed) };
  return { ...known, usage: billed, costNanoUsd: isKnown ? nanoUsd : null, counted };
}

export function statusOf({ billed, errorCode }: CallOutcome): 'done' | 'failed' | 'cut' {
  if (errorCode === null) return 'done';
  return billed === 'nothing' ? 'failed' : 'cut';
}

/** What a span and the figures say of a call that was settled. */
export function settledFacts(outcome: CallOutcome, cost: bigint | null): SpanFacts {
  const { billed, errorCode, answeredBy } = outcome;
  const usage = typeof billed !== 'string' && isPlausible(billed) ? billed : {};
  return { ...usage, status: statusOf(outcome), errorCode, answeredBy, costUsd: cost === null ? null : usdOf(cost) };
}

/** What a provider says of itself is not to be trusted with the cap: numbers that are none count as unknown. */
function isPlausible(billed: CallOutcome['billed']): boolean {
  if (typeof billed === 'string') return true;
  const { input, output, cacheRead, cacheWrite, reasoning } = billed;
  return [input, output, cacheRead, cacheWrite, reasoning].every((tokens) => tokenCount(tokens) !== null);
}
