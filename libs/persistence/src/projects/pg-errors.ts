import { errorCode, errorMessage, WorldError } from '#kernel';

/** The server refused or rolled back, or was never reached: it certainly did not happen. */
const NOT_DONE = new Set([
  '08001', // the client could not connect
  '08004', // the server refused the connection
  '25006', // read-only
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // cancelled, such as by statement_timeout: rolled back
  '57P03', // cannot connect now (starting up or shutting down)
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
]);
/** Insufficient resources and system errors (disk full, I/O): an error of the server undoes the statement. */
const NOT_DONE_CLASSES = new Set(['53', '58']);
/** Where Node was when the network failed: no statement had been sent yet. */
const BEFORE_ANY_STATEMENT = new Set<unknown>(['connect', 'getaddrinfo']);

/** The connection broke while a statement was under way: it may have happened. */
const ANSWER_LOST = new Set([
  '08003', // the connection does not exist
  '08006', // the connection failed
  '08007', // outcome of the transaction unknown
  '57P01', // shut down by an administrator
  '57P02', // shut down after a crash
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);
const LOST_WORDS = /connection terminated|client has encountered|query read timeout|not queryable/i;
const NOT_CONNECTED_WORDS = /timeout exceeded when trying to connect|connection timeout/i;

/** Turns a driver's error into the engine's language; what is neither is returned as it came. */
export function worldly(error: unknown): unknown {
  if (error instanceof WorldError) return error;
  const message = errorMessage(error);
  if (isNotDone(error)) {
    return new WorldError('STORE_AWAY', `the database did not do it: ${message}`, {}, { cause: error });
  }
  if (ANSWER_LOST.has(errorCode(error)) || LOST_WORDS.test(message)) {
    return new WorldError('ANSWER_LOST', `the database's answer was lost: ${message}`, {}, { cause: error });
  }
  return error;
}

function isNotDone(error: unknown): boolean {
  const code = errorCode(error);
  if (NOT_DONE.has(code) || NOT_CONNECTED_WORDS.test(errorMessage(error))) return true;
  if (/^[0-9A-Z]{5}$/.test(code) && NOT_DONE_CLASSES.has(code.slice(0, 2))) return true;
  return ANSWER_LOST.has(code) && BEFORE_ANY_STATEMENT.has((error as { syscall?: unknown }).syscall);
}

export async function inWorldlyTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw worldly(error);
  }
}
