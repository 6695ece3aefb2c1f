import { errorCode, errorMessage, WorldError } from '#kernel';

/** The server refused or rolled back: it certainly did not happen. */
const NOT_DONE = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '53300', // too many connections
  '53100', // disk full
  '53200', // out of memory
  '57P03', // cannot connect now (starting up or shutting down)
  '25006', // read-only
  'ECONNREFUSED',
  'ENOENT',
  'EADDRNOTAVAIL',
]);

/** The connection broke while a statement was under way: it may have happened. */
const ANSWER_LOST = new Set(['57P01', '57P02', '57014', '08006', '08003', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const LOST_WORDS = /connection terminated|client has encountered|query read timeout|not queryable/i;
const NOT_CONNECTED_WORDS = /timeout exceeded when trying to connect|connection timeout/i;

/** Turns a driver's error into the engine's language; what is neither is returned as it came. */
export function worldly(error: unknown): unknown {
  if (error instanceof WorldError) return error;
  const code = errorCode(error);
  const message = errorMessage(error);
  if (NOT_DONE.has(code) || NOT_CONNECTED_WORDS.test(message)) {
    return new WorldError('STORE_AWAY', `the database did not do it: ${message}`, {}, { cause: error });
  }
  if (ANSWER_LOST.has(code) || LOST_WORDS.test(message)) {
    return new WorldError('ANSWER_LOST', `the database's answer was lost: ${message}`, {}, { cause: error });
  }
  return error;
}

export async function inWorldlyTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw worldly(error);
  }
}
