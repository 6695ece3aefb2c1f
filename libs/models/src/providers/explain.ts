import { durationInWords, errorMessage } from '#kernel';
import { ModelError, type ModelRemedy } from '../model-error.js';
import type { Billed, Usage, UsageSoFar } from '../model.port.js';
import type { CallLimits, CallWatch, Ending } from './call-watch.js';
import { connectionFault } from './connection-fault.js';
import { errorIn, type ErrorSaid } from './failure-body.js';
import { refused } from './failure.js';
import type { HeaderReader } from './reset-time.js';
import { isApiError, isConnectionError, type SdkApiError } from './sdk-errors.js';
import { StreamFault, StreamRefusal } from './stream-fault.js';

export interface SettingNames {
  readonly baseUrl: string;
  readonly key: string;
}

export interface CallSoFar {
  readonly provider: string;
  readonly watch: CallWatch;
  readonly limits: CallLimits;
  /** As far as the provider has said what the answer costs. */
  readonly usage: Usage | UsageSoFar | null;
  /** The model as the answer named it; empty before. */
  readonly answeredBy: string;
  /** What configuration calls the provider's address and its key. */
  readonly settings: SettingNames;
  readonly nowMs: number;
  readonly redact: (text: string) => string;
}

/** Makes a ModelError of whatever was thrown. The original is not kept as its cause: it may quote the key. */
export function explain(error: unknown, call: CallSoFar): ModelError {
  const { watch } = call;
  if (watch.ending !== null) return ended(watch.ending, call);
  if (error instanceof ModelError) return error;
  if (isConnectionError(error)) return disconnected(error, call);
  if (isApiError(error)) return said(error, call);
  if (error instanceof StreamRefusal) return saidMidway(error.said, () => null, call);
  if (error instanceof StreamFault) return broken(error.kind, error.message, call);
  if (error instanceof SyntaxError)
    return broken(watch.isCutInLine ? 'truncated' : 'malformed', errorMessage(error), call);
  if (connectionFault(error) !== null) return disconnected(error, call);
  return fault(
    'MODEL_UNEXPECTED',
    'retry',
    `the answer of ${call.provider} could not be read`,
    errorMessage(error),
    call,
  );
}

function ended(why: Ending, call: CallSoFar): ModelError {
  const { provider, limits } = call;
  switch (why) {
    case 'cancelled':
      return fault('MODEL_CANCELLED', 'cancelled', `the call of ${provider} was cancelled`, '', call);
    case 'timeout':
      return fault(
        'MODEL_TIMEOUT',
        'retry',
        `${provider} was not done within ${durationInWords(limits.timeoutMs)}`,
        '',
        call,
      );
    case 'idle':
      return fault('MODEL_SILENT', 'retry', `${provider} sent nothing for ${durationInWords(limits.idleMs)}`, '', call);
    case 'too-large':
      return fault('MODEL_ANSWER_TOO_LARGE', 'retry', `${provider} sent more than ${limits.maxBytes} bytes`, '', call);
  }
}

function said(error: SdkApiError, call: CallSoFar): ModelError {
  const told = errorIn(error.error);
  const status = error.status ?? null;
  const header: HeaderReader = (name) => error.headers?.get(name) ?? null;
  // Without a status it came in a stream.
  if (status === null) return saidMidway({ ...told, words: told.words ?? error.message }, header, call);
  const location = status >= 300 && status < 400 ? header('location') : null;
  const words = call.redact(told.words ?? location ?? (call.watch.preview || error.message));
  return refused({ ...told, provider: call.provider, status, words, header, nowMs: call.nowMs, billed: null });
}

/** An answer had begun: what it cost is what it has said so far. */
function saidMidway(told: ErrorSaid, header: HeaderReader, call: CallSoFar): ModelError {
  const { provider, nowMs, usage, answeredBy, redact } = call;
  const words = redact(told.words || 'an error in the middle of the answer');
  return refused({ ...told, provider, status: null, words, header, nowMs, billed: usage ?? 'unknown', answeredBy });
}

function disconnected(error: unknown, call: CallSoFar): ModelError {
  const { provider, settings } = call;
  const cause = connectionFault(error);
  const words = cause ? `${cause.code}: ${cause.words}` : errorMessage(error);
  const unsent = (code: string, remedy: ModelRemedy, says: string): ModelError =>
    fault(code, remedy, says, words, call, 'nothing');
  switch (cause?.kind) {
    case 'certificate':
      return unsent('MODEL_TLS', 'give-up', `no secure connection to ${provider}; check ${settings.baseUrl}`);
    case 'unreachable':
      return unsent('MODEL_UNREACHABLE', 'retry', `${provider} cannot be reached`);
    case 'address':
      return unsent('MODEL_UNREACHABLE', 'give-up', `nothing can be sent to ${provider}; check ${settings.baseUrl}`);
    case 'header':
      return unsent('MODEL_BAD_KEY', 'give-up', `the key of ${provider} cannot be sent; check ${settings.key}`);
    case 'broken':
    case undefined:
      return fault('MODEL_CONNECTION_LOST', 'retry', `the connection to ${provider} broke`, words, call);
  }
}

function broken(kind: StreamFault['kind'], message: string, call: CallSoFar): ModelError {
  const { provider, watch } = call;
  if (watch.contentType.includes('html')) {
    const says = `${provider} answered with a web page; check its base URL, and what is on the way`;
    return fault('MODEL_MALFORMED', 'retry', says, watch.preview, call, 'nothing');
  }
  if (kind === 'truncated')
    return fault('MODEL_CUT_OFF', 'retry', `the answer of ${provider} ended too early`, message, call);
  const words = watch.contentType.includes('event-stream') ? message : `${message} ${watch.preview}`;
  return fault('MODEL_MALFORMED', 'retry', `${provider} sent something that is not its protocol`, words, call);
}

function fault(
  code: string,
  remedy: ModelRemedy,
  says: string,
  words: string,
  call: CallSoFar,
  billed: Billed = billedSoFar(call),
): ModelError {
  const { provider, watch } = call;
  const clean = call.redact(words);
  return new ModelError(code, clean === '' ? says : `${says}: ${clean}`, {
    remedy,
    provider,
    words: clean,
    ...(watch.status === null ? {} : { status: watch.status }),
    billed,
    answeredBy: call.answeredBy || null,
  });
}

/** Once a request is out nobody knows what becomes of it, unless the provider has said so. */
function billedSoFar({ watch, usage }: CallSoFar): Billed {
  if (usage) return usage;
  return watch.isSent ? 'unknown' : 'nothing';
}
