import type { SpanFacts } from '#kernel';
import type { Billed, Usage } from '../model.port.js';
import { tokenCount } from '../token-count.js';
import type { Amount, Settlement } from './ledger.port.js';
import { usdOf } from './nano-usd.js';
import { costOf, countedTokens, type Price } from './price.js';

/** What became of a call, as whoever sent it knows. */
export interface CallOutcome {
  readonly billed: Billed;
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
  /** The most that its answer could have. */
  readonly outputTokens: number;
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

export function settlementOf(settled: Settled): Settlement {
  const { outcome, price, isKnown, reserved, hasLongCache, durationMs } = settled;
  const { errorCode, answeredBy } = outcome;
  const billed = isPlausible(outcome.billed) ? outcome.billed : 'unknown';
  const known = { status: statusOf(outcome), durationMs, answeredBy, errorCode };
  if (billed === 'nothing') return { ...known, usage: null, costNanoUsd: 0n, counted: NOTHING };
  if (billed === 'unknown') return { ...known, usage: null, costNanoUsd: null, counted: reserved };
  if ('soFar' in billed) {
    return { ...known, usage: billed.soFar, costNanoUsd: null, counted: countedInPart(billed.soFar, settled) };
  }
  const nanoUsd = costOf(billed, price, hasLongCache);
  const counted = { nanoUsd, tokens: countedTokens(billed) };
  return { ...known, usage: billed, costNanoUsd: isKnown ? nanoUsd : null, counted };
}

/**
 * What the call was sent counts as it was said; its answer as if it had had all that it could, in the dearer of its
 * classes: how far it came, nobody knows. More than the reservation only where what was said is more than that.
 */
function countedInPart(soFar: Usage, { price, reserved, outputTokens, hasLongCache }: Settled): Amount {
  const output = Math.max(outputTokens, soFar.output);
  const whole = { ...soFar, output };
  const cost = (usage: Usage): bigint => costOf(usage, price, hasLongCache);
  const [plain, thought] = [cost({ ...whole, reasoning: 0 }), cost({ ...whole, reasoning: output })];
  const [nanoUsd, tokens] = [plain > thought ? plain : thought, countedTokens(whole)];
  const [leastNanoUsd, leastTokens] = [cost(soFar), countedTokens(soFar)];
  const mostNanoUsd = nanoUsd < reserved.nanoUsd ? nanoUsd : reserved.nanoUsd;
  return {
    nanoUsd: mostNanoUsd > leastNanoUsd ? mostNanoUsd : leastNanoUsd,
    tokens: Math.max(Math.min(tokens, reserved.tokens), leastTokens),
  };
}

export function statusOf({ billed, errorCode }: CallOutcome): 'done' | 'failed' | 'cut' {
  if (errorCode === null) return 'done';
  return billed === 'nothing' ? 'failed' : 'cut';
}

/** What a span and the figures say of a call that was settled. */
export function settledFacts(outcome: CallOutcome, cost: bigint | null): SpanFacts {
  const { billed, errorCode, answeredBy } = outcome;
  const usage = isPlausible(billed) ? (saidIn(billed) ?? {}) : {};
  return { ...usage, status: statusOf(outcome), errorCode, answeredBy, costUsd: cost === null ? null : usdOf(cost) };
}

/** What the provider has said, be it all or not. */
function saidIn(billed: Billed): Usage | null {
  if (typeof billed === 'string') return null;
  return 'soFar' in billed ? billed.soFar : billed;
}

/** What a provider says of itself is not to be trusted with the cap: numbers that are none count as unknown. */
function isPlausible(billed: Billed): boolean {
  const said = saidIn(billed);
  if (said === null) return true;
  const { input, output, cacheRead, cacheWrite, reasoning } = said;
  return [input, output, cacheRead, cacheWrite, reasoning].every((tokens) => tokenCount(tokens) !== null);
}
