import { ANTHROPIC_COUNTS, anthropicUsage, usageSoFar } from '#models';
import { withBlock } from './instruct.js';
import { type Body, failureIn, isObject, keepOnly, outputWish, type Reading, textOf, type Wire } from './wire.js';

const API_VERSION = '2023-06-01';
/** What is paid for by the token, all of which is in the request or limited by it. */
const KEPT: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'thinking',
  'output_config',
  'output_format',
  'cache_control',
]);
const KEPT_OF_OUTPUT: ReadonlySet<string> = new Set(['effort', 'format']);
/** Tools that the CLI itself carries out; all others are carried out, and billed, by the provider. */
const OWN_TOOL = /^(?:custom$|bash_|text_editor_|memory_|computer_)/;

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export const anthropicWire: Wire = {
  name: 'anthropic',
  path: '/v1/proxy/anthropic',
  route: (method, path) => {
    if (method === 'POST' && path === '/v1/messages') return { kind: 'chat', upstreamPath: path };
    if (method === 'POST' && path === '/v1/messages/count_tokens') return { kind: 'free', upstreamPath: path };
    if (method === 'GET' && /^\/v1\/models(?:\/[\w.-]+)?$/.test(path)) return { kind: 'free', upstreamPath: path };
    return null;
  },
  shape: (body, route, limits) => {
    keepOnly(body, KEPT);
    if (isObject(body['output_config'])) keepOnly(body['output_config'], KEPT_OF_OUTPUT);
    if (Array.isArray(body['tools'])) body['tools'] = body['tools'].filter(isOwnTool);
    if (route.kind === 'free') return 0;
    const most = outputWish(body['max_tokens'], limits.maxOutputTokens);
    body['max_tokens'] = most;
    keepThinkingBelow(body, most);
    return most;
  },
  // Behind what the CLI marked for the cache, as a block of its own: that much stays known.
  instruct: (body, _route, text) => {
    const { system } = body;
    const blocks = typeof system === 'string' && system !== '' ? [{ type: 'text', text: system }] : system;
    body['system'] = withBlock(Array.isArray(blocks) || isObject(blocks) ? blocks : [], text);
  },
  read: (data, reading) => {
    if (!isObject(data)) return;
    if (data['type'] === 'message_start' && isObject(data['message'])) begin(data['message'], reading);
    else if (data['type'] === 'message_delta') {
      addUsage(data['usage'], reading);
      const delta = data['delta'];
      reading.isWhole = reading.usage !== null && isObject(delta) && typeof delta['stop_reason'] === 'string';
    } else if (data['type'] === 'message') {
      begin(data, reading);
      reading.isWhole = reading.usage !== null;
    } else if (data['type'] === 'error' && isObject(data['error'])) {
      reading.failure = failureIn(data['error']);
    }
  },
  errorBody: (status, code, words) => ({
    type: 'error',
    error: { type: TYPES[status] ?? 'api_error', message: `${code}: ${words}` },
  }),
  authorise: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': API_VERSION }),
};

function isOwnTool(tool: unknown): boolean {
  if (!isObject(tool)) return false;
  const { type } = tool;
  return type === undefined || type === null || (typeof type === 'string' && OWN_TOOL.test(type));
}

/** A budget for thinking must be less than what the answer may have: lowering one lowers the other. */
function keepThinkingBelow(body: Body, most: number): void {
  const { thinking } = body;
  if (!isObject(thinking) || typeof thinking['budget_tokens'] !== 'number' || thinking['budget_tokens'] < most) return;
  if (most > SHORTEST_THINKING) body['thinking'] = { ...thinking, budget_tokens: most - 1 };
  else body['thinking'] = { type: 'disabled' };
}

const SHORTEST_THINKING = 1_024;

function begin(message: Record<string, unknown>, reading: Reading): void {
  reading.answerId = textOf(message['id']);
  reading.answeredBy = textOf(message['model']);
  addUsage(message['usage'], reading);
}

/** Counts are totals so far; a later report may leave out what has not changed. */
function addUsage(report: unknown, reading: Reading): void {
  if (!isObject(report)) return;
  for (const name of ANTHROPIC_COUNTS) reading.counts[name] = report[name] ?? reading.counts[name];
  reading.usage = anthropicUsage(reading.counts);
  reading.soFar = usageSoFar(reading.usage);
}
