import { HttpException } from '@nestjs/common';
import type { Problem } from '#contracts';
import { type JsonObject, UserError, WorldError } from '#kernel';
import { statusOfCode } from './problem-statuses.js';

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** Not the caller's fault: somebody has to look at it. */
  readonly isOurs: boolean;
}

/** What an answer depends on beside the error itself. */
export interface Asked {
  readonly requestId: string;
  /** It asked for nothing to be done. */
  readonly isRead: boolean;
  /** It came with an Idempotency-Key that its route honours. */
  readonly isKeyed: boolean;
}

const RETRY_SOON = { 'Retry-After': '1' };
const AWAY = 'Something this service needs did not answer. Nothing is lost; send the same request again.';
const MAYBE = 'The database was asked and its answer was lost: this may be done or not.';

/** What a caller is told about an error: never anything from inside. */
export function problemOf(error: unknown, asked: Asked): ProblemAnswer {
  const { requestId } = asked;
  if (error instanceof UserError) return fault(error, requestId);
  if (error instanceof WorldError) {
    const { detail, headers } = error.code === 'ANSWER_LOST' ? wayOn(asked) : { detail: AWAY, headers: RETRY_SOON };
    return { problem: make(503, error.code, detail, requestId), headers, isOurs: true };
  }
  // The framework's own refusals: it decodes the address before anything of ours runs.
  if (error instanceof HttpException && error.getStatus() === 400) {
    return fault(new UserError('URL_MALFORMED', 'The address has a percent sign that encodes nothing.'), requestId);
  }
  if (error instanceof HttpException && error.getStatus() === 404) {
    return fault(new UserError('ROUTE_NOT_FOUND', 'There is nothing at this address; see /docs.'), requestId);
  }
  const detail = `This is a fault of the service. Report it with the id ${requestId}, which is in the log.`;
  return { problem: make(500, 'INTERNAL', detail, requestId), headers: {}, isOurs: true };
}

/** When nobody knows whether it was done, only what cannot be done twice may simply be sent again. */
function wayOn({ isRead, isKeyed }: Asked): { detail: string; headers: ProblemAnswer['headers'] } {
  if (isRead) return { detail: AWAY, headers: RETRY_SOON };
  if (isKeyed) {
    const detail = `${MAYBE} Send it again under the same Idempotency-Key: it is not done twice.`;
    return { detail, headers: RETRY_SOON };
  }
  const keyed = 'Calls that take an Idempotency-Key can be repeated without looking if they come with one.';
  return { detail: `${MAYBE} Before you send it again look with GET whether it is. ${keyed}`, headers: {} };
}

function fault(error: UserError, requestId: string): ProblemAnswer {
  const status = statusOfCode(error.code);
  const { issues, ...details } = error.details;
  const problem = make(status, error.code, error.message, requestId, { ...(issues !== undefined && { issues }) });
  if (Object.keys(details).length > 0) problem.details = details;
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 503 || error.code === 'IDEMPOTENCY_IN_FLIGHT' ? RETRY_SOON : {}),
    ...(typeof details['retryAfterS'] === 'number' && { 'Retry-After': String(details['retryAfterS']) }),
    ...(typeof details['allowed'] === 'string' && { Allow: details['allowed'] }),
  };
  return { problem, headers, isOurs: false };
}

function make(status: number, code: string, detail: string, instance: string, extra: JsonObject = {}): Problem {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { type: `urn:qralph:problem:${code}`, title, status, code, detail, instance, ...extra };
}
