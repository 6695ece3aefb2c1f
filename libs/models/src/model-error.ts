import { QualifiedError } from '#kernel';
import type { Billed } from './model.port.js';

/**
 * What is to be done about a call that failed:
 * - retry: at once, or after a moment (a server's fault, a broken line)
 * - wait: until `resetAt` (rate limit, quota, overload); the project waits durably and goes on by itself
 * - give-up: never (bad key, refused request); a person has to look at it
 * - cancelled: whoever asked does not want it any more
 */
export type ModelRemedy = 'retry' | 'wait' | 'give-up' | 'cancelled';

export interface ModelErrorFacts {
  readonly remedy: ModelRemedy;
  readonly provider: string;
  /** The provider's own words. */
  readonly words: string;
  readonly status?: number;
  /** Epoch milliseconds at which it is worth trying again. */
  readonly resetAt?: number;
  readonly billed: Billed;
  /** The model as the provider named it, where an answer had begun. */
  readonly answeredBy?: string | null;
}

/** Providers, and whatever is on the way, may say anything at any length; it ends in events and checkpoints. */
const LONGEST_WORDS = 2_000;
/** With a sentence of ours before the words. */
const LONGEST_MESSAGE = LONGEST_WORDS + 500;

/** Thrown when a call of a model failed. Codes begin with MODEL_. */
export class ModelError extends QualifiedError {
  readonly isRetryable: boolean;
  readonly remedy: ModelRemedy;
  readonly resetAt: number | null;
  readonly billed: Billed;
  readonly answeredBy: string | null;

  constructor(
    code: string,
    message: string,
    private readonly facts: ModelErrorFacts,
    options?: { cause?: unknown },
  ) {
    const { remedy, provider, status = null, resetAt = null, billed, answeredBy = null } = facts;
    const words = facts.words.slice(0, LONGEST_WORDS);
    super(code, message.slice(0, LONGEST_MESSAGE), { remedy, provider, words, status }, options);
    this.isRetryable = remedy === 'retry' || remedy === 'wait';
    this.remedy = remedy;
    this.resetAt = resetAt;
    this.billed = billed;
    this.answeredBy = answeredBy;
  }

  /** The same failure, to be waited for. */
  asWait(resetAt: number): ModelError {
    return new ModelError(this.code, this.message, { ...this.facts, remedy: 'wait', resetAt });
  }
}
