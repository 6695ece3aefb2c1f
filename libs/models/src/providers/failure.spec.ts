import { describe, expect, it } from 'vitest';
import type { ModelRemedy } from '../model-error.js';
import { type Refusal, refused } from './failure.js';

const NOW = Date.parse('2026-03-31T18:00:00Z');
const HOUR = 3_600_000;

const SPENT = 'You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.';
const SPENT_THERE = SPENT.replace('API usage', 'workspace API usage');

const said = (
  { headers = {}, ...more }: Partial<Refusal> & { readonly headers?: Record<string, string> },
  provider = 'anthropic',
) =>
  refused({
    ...{ provider, status: 400, type: 'invalid_request_error', code: null, words: '', nowMs: NOW, billed: null },
    header: (name) => headers[name] ?? null,
    ...more,
  });

type Row = readonly [what: string, Parameters<typeof said>[0], code: string, ModelRemedy, waitMs: number | null];
const ROWS: readonly Row[] = [
  ['a spend limit, until the time it names', { words: SPENT }, 'MODEL_QUOTA', 'wait', 6 * HOUR],
  ['that of a workspace', { words: SPENT_THERE }, 'MODEL_QUOTA', 'wait', 6 * HOUR],
  ['one in the middle of an answer', { status: null, words: SPENT }, 'MODEL_QUOTA', 'wait', 6 * HOUR],
  [
    'one that ends next month, which is asked about daily: somebody may raise it',
    { words: SPENT.replace('04-01', '05-01') },
    'MODEL_QUOTA',
    'wait',
    24 * HOUR,
  ],
  ['one that has just ended', { words: SPENT.replace('04-01', '03-01') }, 'MODEL_QUOTA', 'wait', 1_000],
  ['one that names no day', { words: SPENT.replace('04-01', '13-41') }, 'MODEL_QUOTA', 'wait', HOUR],
  [
    'one that names no time',
    { words: 'You have reached your specified API usage limits.' },
    'MODEL_QUOTA',
    'wait',
    HOUR,
  ],
  [
    'one beside limits of requests, which say nothing about money',
    { words: SPENT, headers: { 'anthropic-ratelimit-requests-reset': '2026-03-31T18:00:02Z' } },
    'MODEL_QUOTA',
    'wait',
    6 * HOUR,
  ],
  [
    'an account without credit beside limits of requests',
    { status: 429, code: 'insufficient_quota', type: null, headers: { 'x-ratelimit-reset-requests': '120ms' } },
    'MODEL_QUOTA',
    'wait',
    HOUR,
  ],
  [
    'an account without credit that says when to come back',
    { status: 429, code: 'insufficient_quota', type: null, headers: { 'retry-after': '90' } },
    'MODEL_QUOTA',
    'wait',
    90_000,
  ],
  [
    'a hard limit of OpenAI',
    { code: 'billing_hard_limit_reached', words: 'Billing hard limit has been reached' },
    'MODEL_QUOTA',
    'wait',
    HOUR,
  ],
  [
    'a prompt that the account may not send however long it waits',
    {
      status: 429,
      type: 'rate_limit_error',
      words: 'Extra usage is required for long context requests.',
      headers: { 'retry-after': '9' },
    },
    'MODEL_FORBIDDEN',
    'give-up',
    null,
  ],
  [
    'a content filter that refuses the prompt',
    { code: 'content_filter', type: null, words: 'The response was filtered by our content management policy.' },
    'MODEL_REFUSED',
    'give-up',
    null,
  ],
  [
    'a safety system that refuses the prompt',
    { code: 'content_policy_violation', words: 'Your request was rejected by our safety system.' },
    'MODEL_REFUSED',
    'give-up',
    null,
  ],
  [
    'a bad request that quotes much of what it was sent',
    { words: `messages.0.content: this cannot be read: "${'x'.repeat(100)} ${SPENT.repeat(100)}"` },
    'MODEL_BAD_REQUEST',
    'give-up',
    null,
  ],
];

describe('what is made of', () => {
  it.each(ROWS)('%s', (_what, refusal, code, remedy, waitMs) => {
    const error = said(refusal);
    expect(error).toMatchObject({ code, remedy, resetAt: waitMs === null ? null : NOW + waitMs });
    expect(error.message).toContain((refusal.words ?? '').slice(0, 1_000));
  });
});
