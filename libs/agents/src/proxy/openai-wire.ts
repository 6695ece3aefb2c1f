import { openaiUsage } from '#models';
import { instructCompletion, joined } from './instruct.js';
import { keepOwnItems, keepOwnTools } from './own-tools.js';
import { Refusal, STOP } from './refusal.js';
import {
  type Body,
  failureIn,
  isObject,
  keepOnly,
  outputWish,
  type Reading,
  type Route,
  type ShapeLimits,
  textOf,
  type Wire,
} from './wire.js';

/** What is paid for by the token, all of which is in the request or limited by it; by both of its APIs. */
const KEPT_BY_BOTH = [
  ...['model', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'stream_options', 'temperature', 'top_p'],
  ...['top_logprobs', 'metadata', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'],
];
const KEPT: Readonly<Record<string, ReadonlySet<string>>> = {
  chat: new Set([
    ...KEPT_BY_BOTH,
    ...['input', 'instructions', 'max_output_tokens', 'reasoning', 'text', 'include', 'truncation', 'client_metadata'],
  ]),
  completion: new Set([
    ...KEPT_BY_BOTH,
    ...['messages', 'functions', 'function_call', 'max_tokens', 'max_completion_tokens', 'stop', 'seed', 'logprobs'],
    ...['presence_penalty', 'frequency_penalty', 'logit_bias', 'response_format', 'reasoning_effort', 'verbosity'],
    ...['top_k', 'min_p', 'repetition_penalty', 'thinking', 'chat_template_kwargs'],
  ]),
};
const KEPT_OF_REASONING: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);
/** What the provider would add to the prompt by itself: nobody could tell how much that is. */
const REFUSED = ['previous_response_id', 'conversation', 'prompt'];
const TYPES: Readonly<Record<number, string>> = { 401: 'authentication_error', 429: 'rate_limit_error' };

export const openaiWire: Wire = {
  name: 'openai',
  path: '/v1/proxy/openai',
  route: (method, path) => {
    if (method === 'POST' && path === '/v1/responses') return { kind: 'chat', upstreamPath: '/responses' };
    if (method === 'POST' && path === '/v1/chat/completions') {
      return { kind: 'completion', upstreamPath: '/chat/completions' };
    }
    const [, models] = /^\/v1(\/models(?:\/[\w.:-]+)?)$/.exec(path) ?? [];
    return method === 'GET' && models !== undefined ? { kind: 'free', upstreamPath: models } : null;
  },
  shape: (body, route, limits) => {
    keepKnown(body, route);
    if (route.kind === 'chat') {
      keepOwnItems(body);
      if (isObject(body['reasoning'])) keepOnly(body['reasoning'], KEPT_OF_REASONING);
      // What is kept there could be called back by its name, at a length that no later request shows.
      body['store'] = false;
      const most = outputWish(body['max_output_tokens'], limits.maxOutputTokens);
      body['max_output_tokens'] = most;
      return most;
    }
    return boundCompletion(body, 'max_completion_tokens', limits);
  },
  instruct: (body, route, text) => {
    if (route.kind === 'completion') instructCompletion(body, text);
    else body['instructions'] = joined(body['instructions'], text);
  },
  read: (data, reading) => {
    if (!isObject(data)) return;
    const response = isObject(data['response']) ? data['response'] : data;
    if (isObject(response['error'])) reading.failure = failureIn(response['error']);
    else if (data['type'] === 'error') reading.failure = failureIn(data);
    reading.answerId = textOf(response['id']) ?? reading.answerId;
    reading.answeredBy = textOf(response['model']) ?? reading.answeredBy;
    if (!isObject(response['usage'])) return;
    reading.usage = usageOf(response['usage']);
    const isLast = !UNFINISHED.has(response['status']) && !isGoingOn(response['choices']);
    reading.isWhole = reading.usage !== null && isLast;
  },
  errorBody: (status, code, words) => ({
    error: {
      message: `${code}: ${words}`,
      type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: null,
      code: status === 401 ? 'invalid_api_key' : code.toLowerCase(),
    },
  }),
  authorise: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
};

/** Leaves what is paid for by the token. Throws Refusal for what the provider would add by itself. */
export function keepKnown(body: Body, { kind }: Route): void {
  for (const name of REFUSED) {
    if (body[name] !== undefined && body[name] !== null) {
      throw new Refusal(STOP, 'PROMPT_UNBOUNDED', `send the whole conversation instead of ${name}`);
    }
  }
  keepOnly(body, KEPT[kind] ?? new Set());
  keepOwnTools(body);
}

const UNFINISHED: ReadonlySet<unknown> = new Set(['in_progress', 'queued']);

/** Some servers report with every chunk of a completion what was used so far. */
const isGoingOn = (choices: unknown): boolean =>
  Array.isArray(choices) &&
  choices.some(
    (choice) => isObject(choice) && isObject(choice['delta']) && typeof choice['finish_reason'] !== 'string',
  );

/** Limits one answer by the name that the server knows: by another one it would be left without a limit. */
export function boundCompletion(
  body: Body,
  limit: 'max_tokens' | 'max_completion_tokens',
  { maxOutputTokens }: ShapeLimits,
): number {
  forgetSpoken(body['messages']);
  const most = outputWish(body['max_completion_tokens'] ?? body['max_tokens'], maxOutputTokens);
  delete body['max_tokens'];
  delete body['max_completion_tokens'];
  body[limit] = most;
  body['n'] = 1;
  if (body['stream'] === true) body['stream_options'] = { include_usage: true };
  return most;
}

/** An answer that was spoken is kept by the provider, and named by its id only. */
function forgetSpoken(messages: unknown): void {
  if (!Array.isArray(messages)) return;
  for (const message of messages as unknown[]) if (isObject(message)) delete message['audio'];
}

/** Both of its APIs, which name things differently. */
function usageOf(report: Record<string, unknown>): Reading['usage'] {
  const details = (name: string): Record<string, unknown> => (isObject(report[name]) ? report[name] : {});
  const read = { ...details('prompt_tokens_details'), ...details('input_tokens_details') };
  const written = { ...details('completion_tokens_details'), ...details('output_tokens_details') };
  return openaiUsage({
    input: report['input_tokens'] ?? report['prompt_tokens'],
    output: report['output_tokens'] ?? report['completion_tokens'],
    cacheRead: read['cached_tokens'],
    cacheWrite: read['cache_write_tokens'],
    reasoning: written['reasoning_tokens'],
  });
}
