import { QualifiedError } from '#kernel';
import type { ModelError } from './model-error.js';
import type { ChatAnswer, ChatListener, ChatRequest, ModelProvider, ModelRef, Tier } from './model.port.js';
import type { Breaker, CallAbout } from './money/ledger.port.js';

/** A chat as somebody wants it: with a tier instead of a model. */
export interface ChatWish extends Omit<ChatRequest, 'model' | 'about'> {
  readonly tier: Tier;
  /** Models that a project's user asked for, as `provider:model`; they come before the configured ones. */
  readonly models?: Readonly<Partial<Record<Tier, string>>>;
  /** A conversation cannot change its model midway: from its second chat on it names the one that answered. */
  readonly pinned?: ModelRef;
  /**
   * What the last answer reported: so many tokens are the first `messages` messages, its own output among them, and so
   * many of these a cache held, read from it or written to it.
   */
  readonly known?: { readonly messages: number; readonly tokens: number; readonly cached: number };
  readonly about: CallAbout;
}

export interface MeteredAnswer extends ChatAnswer {
  readonly ref: ModelRef;
  readonly isSimulated: boolean;
  /** Null: unknown. */
  readonly costNanoUsd: bigint | null;
  /** How many tokens the model can hold at once. */
  readonly contextTokens: number;
}

export interface DeskListener extends ChatListener {
  /** Told at each try, when all that had to be waited for is there and the call leaves. */
  readonly onSend?: () => void;
  /** Told of each try that failed, though another one, or another model, may mend it. */
  readonly onFailure?: (ref: ModelRef, error: ModelError) => void;
}

export interface ModelCandidate extends ModelRef, Pick<ModelProvider, 'isSimulated' | 'scope'> {}

/**
 * The one way to a model: chooses it by tier, reserves, sends, settles, tries again, falls back to the tier's next.
 * Throws ModelError, BudgetExceeded, or LeaseLost.
 */
export interface ModelDesk {
  chat(wish: ChatWish, listener: DeskListener): Promise<MeteredAnswer>;
  /** The models that stand for a tier, the first one first. Throws a UserError for one that nobody provides. */
  candidates(tier: Tier, models?: ChatWish['models']): readonly ModelCandidate[];
}

/** Thrown when a call would go past a cap: it was not sent. */
export class BudgetExceeded extends QualifiedError {
  readonly isRetryable = false;
  constructor(readonly breaker: Breaker) {
    const { name, cap, used, reserved, wanted } = breaker;
    super(
      'BUDGET_EXCEEDED',
      `the call was not sent: up to ${wanted} more does not fit below the cap of ${cap} ${name} (used ${used}, reserved ${reserved})`,
      { ...breaker },
    );
  }
}
