import type { Clock, SecretBook, Trace } from '#kernel';
import type { Breaker, CallAbout, Meter, ModelRef, ModelRemedy, Usage } from '#models';
import type { ToldNotes } from '../notes/told-notes.js';

/**
 * The metering proxy: the only way of a CLI agent to a model. Glossary:
 * - wire: the protocol that a provider speaks, and a CLI with it.
 * - upstream: a provider as the proxy reaches it, with the key that never leaves this process otherwise.
 * - admission: the right of one run to call one model; it ends with the run.
 * - tally: what became of a run's calls.
 */
export type WireName = 'anthropic' | 'openai' | 'compatible';

export interface Upstream {
  readonly wire: WireName;
  /** As the provider's own SDK takes it: without `/v1` for anthropic, with it for the others. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ProxyLimits {
  readonly requestBytes: number;
  /** Of all requests that are being read at once, by all runs together. */
  readonly readingBytes: number;
  /** Until all of a request has come. */
  readonly bodyMs: number;
  readonly answerBytes: number;
  /** Until the provider begins to answer. */
  readonly headersMs: number;
  /** The longest silence of an answer. */
  readonly idleMs: number;
  readonly callMs: number;
}

export interface ProxyOptions {
  readonly host: string;
  /** Null: it does not listen, and admits no run; it only says which models a run could call. */
  readonly port: number | null;
  /** By the provider's name in a ModelRef. None: then no run is admitted. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  readonly meter: Pick<Meter, 'begin' | 'contextOf'>;
  readonly trace: Trace;
  /** Learns the token of a run while it lasts. */
  readonly secrets: SecretBook;
  readonly clock: Clock;
  /** Hears of what no call can be answered with, such as a call that could not be settled. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<ProxyLimits>;
}

export interface ProxyRun {
  readonly about: CallAbout;
  readonly model: ModelRef;
  /** The most that one answer may have; asked for more, so much is asked for. */
  readonly maxOutputTokens: number;
  readonly maxCalls: number;
  /** What people said since it began, asked for before each call that is paid for; each is told all of it. */
  readonly notes?: () => Promise<ToldNotes | null>;
  /** Told when a call begins, brings something and ends: a CLI that waits for a model is not idle. */
  readonly onSign?: () => void;
  /** Told when a call that was sent is settled. */
  readonly onCall?: (call: CallEnd) => void;
}

export interface CallEnd {
  readonly model: ModelRef;
  /** Null: unknown, or nothing. */
  readonly usage: Usage | null;
  readonly costNanoUsd: bigint | null;
  /** Null: it was answered. */
  readonly errorCode: string | null;
  /** What people said that it carried. */
  readonly notes: ToldNotes | null;
  readonly ms: number;
}

export interface ProxyTally {
  readonly calls: number;
  readonly underWay: number;
  readonly usage: Usage;
  /** Of the calls whose cost is known. */
  readonly costNanoUsd: bigint;
  /** Calls that were billed something that nobody knows. */
  readonly unknownCosts: number;
  readonly overBudget: Breaker | null;
  readonly isLeaseLost: boolean;
  readonly isOutOfCalls: boolean;
  /** The provider asks to wait, and no later call has succeeded or was refused for good. */
  readonly rateLimit: Wait | null;
  /** Others held the rest of the budget for too long, and no call was sent since. */
  readonly budgetBusy: Wait | null;
  /** What the provider answered last, where that was an error. */
  readonly lastError: CallFailure | null;
  /** Calls that the provider failed one after the other, none of which was answered since. */
  readonly failing: Failing;
}

export interface Failing {
  /** Those that fail while others are under way are one with the last of these: a hiccup hits them all. */
  readonly inRow: number;
  /** From the first to the last of all of them. */
  readonly forMs: number;
}

export interface Wait {
  /** Epoch milliseconds. */
  readonly resetAt: number;
  readonly words: string;
}

export interface CallFailure {
  readonly status: number;
  /** MODEL_…: what a person or the ladder decides by. */
  readonly code: string;
  readonly remedy: ModelRemedy;
  readonly words: string;
}

export interface Admission {
  readonly token: string;
  /** Base URL on the proxy's listener, for a run that can reach it. */
  readonly url: string;
  /** Path below any address that leads to the proxy. */
  readonly path: string;
  /** The same, as a socket for this run alone. */
  readonly socketPath: string;
  tally(): ProxyTally;
  /** Ends the admission: calls under way are cut off and settled. Resolves when all are. */
  revoke(): Promise<ProxyTally>;
}

export interface Proxy {
  readonly port: number;
  /** Null, or why no run of this model can be admitted. */
  refusal(model: ModelRef): string | null;
  wireOf(model: ModelRef): WireName | null;
  admit(run: ProxyRun): Promise<Admission>;
  close(): Promise<void>;
}
