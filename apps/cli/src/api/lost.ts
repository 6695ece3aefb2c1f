import { errorCode } from '#kernel';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** No answer came, or one that says to ask again: the same request may succeed in a moment. */
export class Lost extends Error {
  constructor(
    /** What it is in the end, if it does not. */
    readonly failure: Failure,
    cause: unknown,
  ) {
    super(failure.message, { cause });
  }
}

/** Nobody listens there, or nobody can: what was asked has not reached anybody. */
export const isRefusedConnection = ({ cause }: Lost): boolean =>
  ['UNEXPECTED', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(codeOf(cause));

export function unreachable(url: string, error: unknown): Failure {
  const message = `no service answers at ${url} (${codeOf(error)}). Start it with npm start, or say where it is with --url or QRALPH_URL`;
  return new Failure(EXIT.unreachable, 'UNREACHABLE', message, { cause: error });
}

/** fetch wraps what went wrong; of several addresses that were tried, the first one's counts. */
function codeOf(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time';
  return cause === undefined ? errorCode(error) : errorCode(cause);
}
