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

const RETRY_SOON = { 'Retry-After': '1' };

/** What a caller is told about an error: never anything from inside. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  if (error instanceof UserError) return fault(error, requestId);
  if (error instanceof WorldError) {
    const detail = 'Something this service needs did not answer. Nothing is lost; send the same request again.';
    return { problem: make(503, error.code, detail, requestId), headers: RETRY_SOON, isOurs: true };
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

function fault(error: UserError, requestId: string): ProblemAnswer {
  const status = statusOfCode(error.code);
  const { issues, ...details } = error.details;
  const problem = make(status, error.code, error.message, requestId, { ...(issues !== undefined && { issues }) });
  if (Object.keys(details).length > 0) problem.details = details;
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 503 || error.code === 'IDEMPOTENCY_IN_FLIGHT' ? RETRY_SOON : {}),
    ...(typeof details['allowed'] === 'string' && { Allow: details['allowed'] }),
  };
  return { problem, headers, isOurs: false };
}

function make(status: number, code: string, detail: string, instance: string, extra: JsonObject = {}): Problem {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { type: `urn:qralph:problem:${code}`, title, status, code, detail, instance, ...extra };
}
