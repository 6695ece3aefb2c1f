/** Thrown by whoever reads a stream that is not what its protocol promises. Never leaves a provider. */
export class StreamFault extends Error {
  constructor(
    readonly kind: 'truncated' | 'malformed',
    message: string,
  ) {
    super(message);
  }
}
