import { ModelError, type ModelRemedy } from '../model-error.js';
import type { Billed } from '../model.port.js';
import { type HeaderReader, quotaResetAtOf, resetAtOf, retryAfterMs } from './reset-time.js';

/** What a provider said instead of an answer, or in the middle of one. */
export interface Refusal {
  readonly provider: string;
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  /** Free of secrets. */
  readonly words: string;
  readonly header: HeaderReader;
  readonly nowMs: number;
  /** Null: what follows from the status. An error status costs nothing, but nobody knows what is behind a time-out. */
  readonly billed: Billed | null;
  /** The model as the answer named it, where one had begun. */
  readonly answeredBy?: string;
}

interface Kind {
  readonly code: string;
  readonly remedy: ModelRemedy;
  /** What to tell whoever reads it, after the provider's name. */
  readonly says: string;
  /** Of what is to be waited for: how long, where the provider does not say. */
  readonly waitMs?: number;
}

const SECOND = 1_000;

const KINDS = {
  badRequest: { code: 'MODEL_BAD_REQUEST', remedy: 'give-up', says: 'refuses the request' },
  refused: { code: 'MODEL_REFUSED', remedy: 'give-up', says: 'refuses the content of the request' },
  badKey: { code: 'MODEL_BAD_KEY', remedy: 'give-up', says: 'refuses the key; check the one it is configured with' },
  forbidden: { code: 'MODEL_FORBIDDEN', remedy: 'give-up', says: 'does not allow this with the configured key' },
  unknown: { code: 'MODEL_UNKNOWN', remedy: 'give-up', says: 'does not know the model, or the base URL is wrong' },
  redirected: {
    code: 'MODEL_REDIRECTED',
    remedy: 'give-up',
    says: 'points elsewhere; configure its base URL as it is',
  },
  tooLarge: { code: 'MODEL_REQUEST_TOO_LARGE', remedy: 'give-up', says: 'finds the request too large' },
  context: { code: 'MODEL_CONTEXT_EXCEEDED', remedy: 'give-up', says: 'cannot hold a conversation as long as this' },
  rate: { code: 'MODEL_RATE_LIMITED', remedy: 'wait', says: 'wants fewer requests', waitMs: 60 * SECOND },
  quota: { code: 'MODEL_QUOTA', remedy: 'wait', says: 'has no quota left for this key', waitMs: 3_600 * SECOND },
  overloaded: { code: 'MODEL_OVERLOADED', remedy: 'wait', says: 'is overloaded', waitMs: 30 * SECOND },
  server: { code: 'MODEL_SERVER_ERROR', remedy: 'retry', says: 'has failed' },
} as const satisfies Record<string, Kind>;

export function refused(refusal: Refusal): ModelError {
  const { provider, status, words, header, nowMs } = refusal;
  const kind: Kind = kindOf(refusal);
  const toldAt = kind === KINDS.quota ? quotaResetAtOf(words, header, nowMs) : resetAtOf(header, nowMs);
  const resetAt = kind.waitMs === undefined ? null : (toldAt ?? nowMs + kind.waitMs);
  return new ModelError(kind.code, `${provider} ${kind.says}: ${words}`, {
    remedy: kind.remedy,
    provider,
    words,
    ...(status === null ? {} : { status }),
    ...(resetAt === null ? {} : { resetAt }),
    billed: refusal.billed ?? (MAY_HAVE_WORKED.has(status ?? 0) ? 'unknown' : 'nothing'),
    answeredBy: refusal.answeredBy || null,
  });
}

/** Somebody on the way lost patience: the model may have answered, and been paid for it. */
const MAY_HAVE_WORKED = new Set([408, 504, 524]);

/** Names are more exact than a status, and all there is in the middle of a stream. */
const NAMES = new Map<string, Kind>(
  Object.entries({
    invalid_request_error: KINDS.badRequest,
    authentication_error: KINDS.badKey,
    invalid_api_key: KINDS.badKey,
    permission_error: KINDS.forbidden,
    not_found_error: KINDS.unknown,
    model_not_found: KINDS.unknown,
    request_too_large: KINDS.tooLarge,
    context_length_exceeded: KINDS.context,
    exceed_context_size_error: KINDS.context,
    rate_limit_error: KINDS.rate,
    rate_limit_exceeded: KINDS.rate,
    tokens: KINDS.rate,
    requests: KINDS.rate,
    insufficient_quota: KINDS.quota,
    billing_error: KINDS.quota,
    enforced_spend_limit_reached: KINDS.quota,
    billing_hard_limit_reached: KINDS.quota,
    overloaded_error: KINDS.overloaded,
    server_overloaded: KINDS.overloaded,
    engine_overloaded: KINDS.overloaded,
    slow_down: KINDS.overloaded,
    api_error: KINDS.server,
    server_error: KINDS.server,
    timeout_error: KINDS.server,
    invalid_prompt: KINDS.refused,
    content_filter: KINDS.refused,
    content_policy_violation: KINDS.refused,
  }),
);

/** Those that say more than the status they come with. */
const TELLING = new Set<Kind>([KINDS.context, KINDS.quota, KINDS.overloaded, KINDS.unknown, KINDS.refused]);

const TOO_LONG =
  /prompt is too long|exceeds? (?:the )?(?:available )?(?:model'?s )?(?:maximum )?context|maximum context length|context (?:length|window|limit) (?:is )?exceeded|exceed context limit/i;
const OUT_OF_CREDIT = /credit balance is too low|exceeded your current quota/i;
/** Anthropic has no name for it: it comes as a bad request, like those that quote what they were sent, further on. */
const SPENT = /^.{0,80}reached your specified (?:workspace )?API usage limits/i;
/** Comes as a rate limit, but no wait makes the prompt shorter or the account larger. */
const NOT_PAID_FOR = /extra usage is required for long context/i;
/** Larger than what is allowed in a whole minute: it would be as large after any wait. */
const ABOVE_LIMIT = /request too large/i;

function kindOf({ status, type, code, words, header, nowMs }: Refusal): Kind {
  if (SPENT.test(words)) return KINDS.quota;
  if (NOT_PAID_FOR.test(words)) return KINDS.forbidden;
  const named = NAMES.get(code ?? '') ?? NAMES.get(type ?? '');
  if (named && (status === null || TELLING.has(named))) return named;
  if (OUT_OF_CREDIT.test(words)) return KINDS.quota;
  if ((status === null || status === 400 || status === 413 || status === 422) && TOO_LONG.test(words))
    return KINDS.context;
  if (status === 429 && ABOVE_LIMIT.test(words)) return KINDS.tooLarge;
  // Who says when to come back is not broken.
  if (status !== null && status >= 500 && retryAfterMs(header, nowMs) !== null) return KINDS.overloaded;
  return status === null ? KINDS.server : byStatus(status);
}

function byStatus(status: number): Kind {
  if (status >= 300 && status < 400) return KINDS.redirected;
  switch (status) {
    case 401:
      return KINDS.badKey;
    case 402:
      return KINDS.quota;
    case 403:
      return KINDS.forbidden;
    case 404:
      return KINDS.unknown;
    case 408:
    case 409:
    case 425:
      return KINDS.server;
    case 413:
      return KINDS.tooLarge;
    case 429:
      return KINDS.rate;
    case 503:
    case 529:
      return KINDS.overloaded;
    default:
      return status >= 500 ? KINDS.server : KINDS.badRequest;
  }
}
