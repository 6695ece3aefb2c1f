import { openaiUsage } from '#models';
import { Refusal, STOP } from './refusal.js';
import { failureIn, isObject, outputWish, type Reading, textOf, type Wire } from './wire.js';

/** They make a call dearer than its tokens say, or do something outside of the sandbox. */
const DROPPED = ['service_tier', 'background', 'web_search_options', 'prediction', 'modalities', 'audio'];
/** What the provider would add to the prompt by itself: nobody could tell how much that is. */
const REFUSED = ['previous_response_id', 'conversation', 'prompt'];
/** Tools that the CLI itself carries out; all others are carried out, and billed, by the provider. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'local_shell', 'apply_patch', 'namespace']);

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
    for (const name of DROPPED) delete body[name];
    for (const name of REFUSED) {
      if (body[name] !== undefined && body[name] !== null) {
        throw new Refusal(STOP, 'PROMPT_UNBOUNDED', `send the whole conversation instead of ${name}`);
      }
    }
    if (Array.isArray(body['tools'])) body['tools'] = body['tools'].filter(isOwnTool);
    if (route.kind === 'chat') {
      const most = outputWish(body['max_output_tokens'], limits.maxOutputTokens);
      body['max_output_tokens'] = most;
      return most;
    }
    const most = outputWish(body['max_completion_tokens'] ?? body['max_tokens'], limits.maxOutputTokens);
    // Servers that only speak the older name of the limit must not be left without one.
    if (body['max_tokens'] !== undefined && body['max_completion_tokens'] === undefined) body['max_tokens'] = most;
    else {
      delete body['max_tokens'];
      body['max_completion_tokens'] = most;
    }
    body['n'] = 1;
    if (body['stream'] === true) body['stream_options'] = { include_usage: true };
    return most;
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
    // A chunk of a completion reports once, at the end; a response with its last event.
    const isLast = response['status'] === undefined || response['status'] !== 'in_progress';
    reading.isWhole = reading.usage !== null && isLast && response['status'] !== 'queued';
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

function isOwnTool(tool: unknown): boolean {
  if (!isObject(tool)) return true;
  return OWN_TOOLS.has(tool['type']) || (tool['type'] === 'tool_search' && tool['execution'] === 'client');
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
