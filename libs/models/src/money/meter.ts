import { LeaseLost } from '#engine';
import { assertNever, type Clock, newId, type Trace, WorldError } from '#kernel';
import { BudgetExceeded } from '../model-desk.port.js';
import { ModelError } from '../model-error.js';
import type { ModelRef } from '../model.port.js';
import type { Breaker, CallAbout, Ledger, NewCall } from './ledger.port.js';
import { type CallBound, type Price, reservationOf, SIMULATED_PRICE } from './price.js';
import type { Prices } from './price-book.js';
import { type CallOutcome, NOT_SENT, settlementOf } from './settlement.js';

export interface MeteredCall {
  readonly about: CallAbout;
  readonly model: ModelRef;
  readonly isSimulated: boolean;
  readonly bound: CallBound;
}

/** How long a call may wait for its turn, and who may call it off. */
export interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** A call that may be sent. Whatever becomes of it, it must be settled. */
export interface OpenCall {
  readonly callId: string;
  /** The model whose price was set aside; null where any model is priced alike. */
  readonly pricedAs: string | null;
  /** Resolves to what the call cost, null where nobody knows. Only the first time counts. */
  settle(outcome: CallOutcome): Promise<bigint | null>;
}

export interface MeterParts {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly clock: Clock;
  /** Epoch milliseconds: prices are dated by it, and waits end by it. */
  readonly epochMs?: () => number;
  readonly trace: Trace;
  /** What a call of a model counts whose price nobody knows. */
  readonly worstPrice: Price;
}

const FIRST_BACKOFF_MS = 25;
const LONGEST_BACKOFF_MS = 1_000;
/** A worker that could not reach the database for so long has lost its projects: what it left open counts as lost. */
const SETTLES_FOR_MS = 600_000;
/** Called off, it still tries for a moment: the tokens are paid. */
const SETTLES_AFTER_ABORT_MS = 5_000;
/** When to look again whether a budget that others held has room. */
const BUSY_FOR_MS = 30_000;

/**
 * Between a call and the ledger: nothing is sent before its maximum is set aside, nothing that was sent stays
 * unsettled while the database can be reached. What the ledger never hears of again is lost, and counts in full.
 */
export class Meter {
  private readonly epochMs: () => number;

  constructor(private readonly parts: MeterParts) {
    this.epochMs = parts.epochMs ?? Date.now;
  }

  /** How many tokens the model can hold at once; null: nobody knows. */
  contextOf(model: ModelRef): number | null {
    return this.parts.prices.contextOf(model);
  }

  /**
   * Resolves when the call may be sent. Throws BudgetExceeded where it never fits, LeaseLost where the project has
   * another driver, ModelError where it was called off or others held the budget for too long.
   */
  async begin(call: MeteredCall, patience: Patience): Promise<OpenCall> {
    const { clock, trace, prices, worstPrice } = this.parts;
    const { about, model, isSimulated, bound } = call;
    const known = isSimulated ? SIMULATED_PRICE : prices.priceOf(model, new Date(this.epochMs()));
    const price = known ?? worstPrice;
    const reserved = reservationOf(bound, price);
    const priceVersion = known?.version ?? null;
    const callId = await this.reserve(
      { id: newId(), about, model, isSimulated, priceVersion, reserved, traceId: trace.traceId() },
      patience,
    );
    const beganAt = clock.now();
    const settle = async (outcome: CallOutcome): Promise<bigint | null> => {
      const durationMs = Math.round(clock.now() - beganAt);
      const hasLongCache = bound.hasLongCache ?? false;
      const { outputTokens } = bound;
      const settled = { outcome, price, isKnown: known !== null, reserved, outputTokens, hasLongCache, durationMs };
      const settlement = settlementOf(settled);
      await this.settle(() => this.parts.ledger.settle(callId, settlement), patience.signal);
      return settlement.costNanoUsd;
    };
    let settling: Promise<bigint | null> | null = null;
    const pricedAs = known && !isSimulated ? model.model : null;
    return { callId, pricedAs, settle: (outcome) => (settling ??= settle(outcome)) };
  }

  private async reserve(call: NewCall, { ms, signal }: Patience): Promise<string> {
    const { clock, ledger } = this.parts;
    const until = clock.now() + ms;
    const isOver = (): boolean => signal.aborted || clock.now() >= until;
    for (;;) {
      if (signal.aborted) throw cancelled(call.model);
      const reservation = await this.whileAway(() => ledger.reserve(call), isOver, signal).catch((error: unknown) => {
        if (error instanceof WorldError) void this.letGo(call.id, signal);
        throw error;
      });
      switch (reservation.kind) {
        case 'reserved':
          return reservation.callId;
        case 'stale':
          throw new LeaseLost('the project has another driver: the call was not sent');
        case 'full':
          if (!reservation.fitsAlone) throw new BudgetExceeded(reservation.breaker);
          if (clock.now() >= until) throw busy(call.model, reservation.breaker, this.epochMs() + BUSY_FOR_MS);
          await ledger.changed(call.about.lease.projectId, until - clock.now(), signal);
          break;
        default:
          assertNever(reservation);
      }
    }
  }

  /**
   * Where only the answer was lost, the reservation stands there for as long as the project is held. Nobody waits for
   * this, and if it fails too, the sweep or the next run of the effect finds what is left.
   */
  private letGo(callId: string, signal: AbortSignal): Promise<void> {
    return this.settle(() => this.parts.ledger.settle(callId, NOT_SENT), signal).catch(() => undefined);
  }

  private settle(ask: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.parts;
    const beganAt = clock.now();
    const isOver = (): boolean => clock.now() - beganAt >= (signal.aborted ? SETTLES_AFTER_ABORT_MS : SETTLES_FOR_MS);
    return this.whileAway(ask, isOver);
  }

  /** Asks again for as long as the database is away. */
  private async whileAway<T>(ask: () => Promise<T>, isOver: () => boolean, signal?: AbortSignal): Promise<T> {
    for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS)) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof WorldError) || isOver()) throw error;
        await this.parts.clock.sleep(backoffMs, signal);
      }
    }
  }
}

const cancelled = ({ provider }: ModelRef): ModelError =>
  new ModelError('MODEL_CANCELLED', 'the call was called off before it was sent', {
    remedy: 'cancelled',
    provider,
    words: '',
    billed: 'nothing',
  });

function busy({ provider }: ModelRef, { name, cap, used, reserved }: Breaker, resetAt: number): ModelError {
  const words = `calls under way hold the rest of the budget: ${reserved} of ${cap} ${name}, used ${used}`;
  return new ModelError('MODEL_BUDGET_BUSY', words, { remedy: 'wait', provider, words, resetAt, billed: 'nothing' });
}
