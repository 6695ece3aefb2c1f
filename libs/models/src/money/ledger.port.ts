import type { Lease } from '#engine';
import type { ModelRef, Tier, Usage } from '../model.port.js';

/**
 * What calls cost, and the caps they draw on. Glossary:
 * - call: one request that is sent to a provider; one row of the ledger, whatever becomes of it.
 * - reservation: the most a call can cost, and the tokens it is expected to count at most, set aside before it is sent.
 *   It is settled with what the call really took.
 * - counted: what a call takes from the cap: its cost, or where that is unknown, a worst case.
 * - lost: nobody knows how the call ended (its worker died): it counts with its whole reservation, until whoever sent
 *   it says after all what it took.
 * - budget: the caps of a project that no other started. Its children, and theirs, draw on the same one.
 * Money is whole nano-dollars.
 */
export interface CallAbout {
  readonly lease: Lease;
  readonly state: string;
  readonly agent: string;
  readonly purpose: string;
  /** The version of the agent's prompt, such as `review@1`; null where its task names none. */
  readonly prompt: string | null;
  /** The agent's attempt at its task. */
  readonly attempt: number;
  readonly tier: Tier | null;
  /** The effect that makes the call, and which of its runs: calls of an earlier run that are still open are lost. */
  readonly effect: { readonly key: string; readonly run: number };
}

export interface NewCall {
  /** Made by whoever asks: asking again under the same id reserves nothing twice. */
  readonly id: string;
  readonly about: CallAbout;
  readonly model: ModelRef;
  readonly isSimulated: boolean;
  /** Null where nobody knows the price: then the configured worst case was reserved. */
  readonly priceVersion: string | null;
  readonly reserved: Amount;
  readonly traceId: string | null;
}

export interface Amount {
  readonly nanoUsd: bigint;
  /**
   * Without what a cache read. What it read is known only when the answer is there: a reservation leaves out what it is
   * known to hold, and a call that missed it may count more than its reservation. That difference, which is in the
   * call's row, is the only way past the cap of tokens.
   */
  readonly tokens: number;
}

/** Null: no cap. */
export interface BudgetCaps {
  readonly nanoUsd: bigint | null;
  readonly tokens: number | null;
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly callId: string }
  /** It does not fit. Where it would if no other call were under way, it is worth waiting for those. */
  | { readonly kind: 'full'; readonly fitsAlone: boolean; readonly breaker: Breaker }
  /** The project has another driver, or none: nothing may be sent. */
  | { readonly kind: 'stale' };

export interface Breaker {
  readonly name: 'usd' | 'tokens';
  readonly cap: string;
  readonly used: string;
  readonly reserved: string;
  readonly wanted: string;
}

export interface Settlement {
  /** done: answered · failed: an error, nothing billed · cut: billed, but not whole or not counted · lost: nobody knows */
  readonly status: 'done' | 'failed' | 'cut' | 'lost';
  readonly usage: Usage | null;
  /** Null: unknown. */
  readonly costNanoUsd: bigint | null;
  readonly counted: Amount;
  readonly durationMs: number;
  /** The model as the provider named it. */
  readonly answeredBy: string | null;
  readonly errorCode: string | null;
}

export interface Ledger {
  reserve(call: NewCall): Promise<Reservation>;
  /** Settling a call that is settled already changes nothing, unless it is lost and the settlement knows what it took. */
  settle(callId: string, settlement: Settlement): Promise<void>;
  /** Resolves when some call on this project's budget may have been settled, or the cap raised, or the time is over. */
  changed(projectId: string, ms: number, signal: AbortSignal): Promise<void>;
}
