import { QualifiedError } from '#kernel';
import type { Usage } from './model.port.js';

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
  /** What the provider is known to have billed; `unknown` where an answer had begun, or may have. */
  readonly billed: Usage | 'nothing' | 'unknown';
}

/** Thrown when a call of a model failed. Codes begin with MODEL_. */
export class ModelError extends QualifiedError {
  readonly isRetryable: boolean;
  readonly remedy: ModelRemedy;
  readonly resetAt: number | null;
  readonly billed: Usage | 'nothing' | 'unknown';

  constructor(code: string, message: string, facts: ModelErrorFacts, options?: { cause?: unknown }) {
    const { remedy, provider, words, status = null, resetAt = null, billed } = facts;
    super(code, message, { remedy, provider, words: words.slice(0, 2_000), status }, options);
    this.isRetryable = remedy === 'retry' || remedy === 'wait';
    this.remedy = remedy;
    this.resetAt = resetAt;
    this.billed = billed;
  }
}
