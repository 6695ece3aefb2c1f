import type { Usage } from '#models';
import type { ModelCall, Reply, ScriptedStop } from './reply.js';
import { argumentsOf, callIdOf, piecesOf, sse, type Wire } from './wire.js';

const STOPS: Record<ScriptedStop, string> = {
  end: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
  paused: 'pause_turn',
  context: 'model_context_window_exceeded',
};

export const anthropicWire: Wire = {
  render: (call, reply, usage) => {
    const blocks = blocksOf(call, reply);
    const stopReason = STOPS[reply.stop ?? (reply.toolCalls?.length ? 'tools' : 'end')];
    const message = {
      id: `msg_${call.number}`,
      type: 'message',
      role: 'assistant',
      model: reply.model ?? call.model,
      content: [] as object[],
      stop_reason: null as string | null,
      stop_sequence: null,
      // What an answer costs is known at its end: the first count of the output is one token.
      usage: wireUsage(usage && { ...usage, output: 1, reasoning: 0 }),
    };
    const events = [
      named({ type: 'message_start', message }),
      named({ type: 'ping' }),
      ...blocks.flatMap(({ empty, deltas }, index) => [
        named({ type: 'content_block_start', index, content_block: empty }),
        ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
        named({ type: 'content_block_stop', index }),
      ]),
      named({
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: wireUsage(usage),
      }),
      named({ type: 'message_stop' }),
    ];
    const content = blocks.map(({ whole }) => whole);
    return { events, body: { ...message, content, stop_reason: stopReason, usage: wireUsage(usage) } };
  },
  filler: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  errorBody: ({ status, type, words }) => errorOf(type ?? TYPES[status] ?? 'api_error', words ?? `status ${status}`),
  errorEvent: (type, words) => sse(errorOf(type, words), 'error'),
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorOf(type: string, message: string): object {
  return { type: 'error', error: { type, message }, request_id: 'req_test' };
}

interface Block {
  readonly empty: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

function blocksOf(call: ModelCall, reply: Reply): Block[] {
  const pieces = reply.pieces ?? 3;
  const blocks: Block[] = [];
  if (reply.thinking !== undefined) {
    const signature = `signature-${call.number}`;
    blocks.push({
      empty: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...piecesOf(reply.thinking, pieces).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: reply.thinking, signature },
    });
  }
  if (reply.text !== undefined) {
    blocks.push({
      empty: { type: 'text', text: '' },
      deltas: piecesOf(reply.text, pieces).map((text) => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: reply.text },
    });
  }
  for (const [index, tool] of (reply.toolCalls ?? []).entries()) {
    const head = { type: 'tool_use', id: callIdOf(call, tool, index, 'toolu'), name: tool.name };
    const deltas = piecesOf(argumentsOf(tool), pieces).map((part) => ({
      type: 'input_json_delta',
      partial_json: part,
    }));
    blocks.push({ empty: { ...head, input: {} }, deltas, whole: { ...head, input: tool.input ?? {} } });
  }
  return blocks;
}

function wireUsage(usage: Usage | null): object {
  if (usage === null) return {};
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens_details: { thinking_tokens: usage.reasoning },
  };
}

function named(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return sse(data, data.type);
}
