import type { Fault } from './reply.js';

/** Both protocols of OpenAI say errors in one way. */
export function openaiErrorBody({ status, type, code, words }: Extract<Fault, { kind: 'status' }>): object {
  const fallback = status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: words ?? `status ${status}`, type: type ?? fallback, param: null, code: code ?? null } };
}
