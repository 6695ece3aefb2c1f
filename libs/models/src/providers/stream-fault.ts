import type { ErrorSaid } from './failure-body.js';

/** Thrown where an answer says of itself that it failed. Never leaves a provider. */
export class StreamRefusal extends Error {
  constructor(readonly said: ErrorSaid) {
    super(said.words ?? 'the answer failed');
  }
}

/** Thrown by whoever reads a stream that is not what its protocol promises. Never leaves a provider. */
export class StreamFault extends Error {
  constructor(
    readonly kind: 'truncated' | 'malformed',
    message: string,
  ) {
    super(message);
  }
}
