import type { JsonObject } from './json.js';

/**
 * Three families, told apart by who can mend them:
 * - UserError: the caller's fault; says what was wrong and what to do. Never retried.
 * - WorldError: the world's fault (database away, disk full); retried.
 * - EngineBug: ours; must never happen, alerts.
 */
export abstract class QualifiedError extends Error {
  abstract readonly isRetryable: boolean;
  constructor(
    readonly code: string,
    message: string,
    readonly details: JsonObject = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class UserError extends QualifiedError {
  readonly isRetryable = false;
}

export class WorldError extends QualifiedError {
  readonly isRetryable = true;
}

/** Code of a WorldError after which nobody knows whether the thing was done. */
export const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';

export class EngineBug extends QualifiedError {
  readonly isRetryable = false;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function errorCode(error: unknown): string {
  if (error instanceof QualifiedError) return error.code;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'UNEXPECTED';
}

export function assertNever(value: never): never {
  throw new EngineBug('UNREACHABLE', `unexpected value ${JSON.stringify(value)}`);
}
