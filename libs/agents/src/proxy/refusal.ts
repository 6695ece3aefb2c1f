import { QualifiedError } from '#kernel';

/**
 * Thrown when the proxy itself says no. Where a run is to stop, the status is 400: tried with the real CLIs, each of
 * them gives up at once on it, while 403 and 429 make some try again.
 */
export class Refusal extends QualifiedError {
  readonly isRetryable = false;
  constructor(
    readonly status: number,
    code: string,
    message: string,
  ) {
    super(code, message);
  }
}

export const STOP = 400;
