import type { Usage } from '#models';
import { openaiErrorBody } from './openai-error.js';
import type { ModelCall, Reply } from './reply.js';
import { argumentsOf, callIdOf, piecesOf, sse, type Wire } from './wire.js';

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

export const responsesWire: Wire = {
  render: (call, reply, usage) => {
    const items = itemsOf(call, reply);
    const head = {
      id: `resp_${call.number}`,
      object: 'response',
      created_at: 1_700_000_000,
      model: reply.model ?? call.model,
      error: null,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
    };
    const started = { ...head, status: 'in_progress', incomplete_details: null, output: [], usage: null };
    const cutShort = reply.stop === 'length' || reply.stop === 'context';
    const filtered = reply.stop === 'refused' && reply.text === undefined;
    const isWhole = !cutShort && !filtered;
    const ended = {
      ...head,
      status: isWhole ? 'completed' : 'incomplete',
      incomplete_details: isWhole ? null : { reason: cutShort ? 'max_output_tokens' : 'content_filter' },
      output: items.map(({ whole }) => whole),
      usage: usage && wireUsage(usage),
    };
    const events: Event[] = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...items.flatMap(({ empty, deltas, whole }, index) => [
        { type: 'response.output_item.added', output_index: index, item: empty },
        ...deltas.map((delta) => ({ ...delta, output_index: index })),
        { type: 'response.output_item.done', output_index: index, item: whole },
      ]),
      { type: isWhole ? 'response.completed' : 'response.incomplete', response: ended },
    ];
    return { events: events.map((event, number) => named({ ...event, sequence_number: number })), body: ended };
  },
  filler: (delta) =>
    named({
      type: 'response.output_text.delta',
      item_id: 'msg_0',
      output_index: 0,
      content_index: 0,
      delta,
      logprobs: [],
    }),
  errorBody: openaiErrorBody,
  errorEvent: (code, message) => named({ type: 'error', code, message, param: null, sequence_number: 99 }),
};

interface Item {
  readonly empty: object;
  readonly deltas: readonly Event[];
  readonly whole: object;
}

function itemsOf(call: ModelCall, reply: Reply): Item[] {
  const items: Item[] = [];
  if (reply.thinking !== undefined) items.push(reasoningItem(call, reply.thinking));
  if (reply.text !== undefined) items.push(messageItem(call, reply.text, reply));
  for (const [index, tool] of (reply.toolCalls ?? []).entries()) {
    const id = `fc_${call.number}_${index}`;
    const callId = callIdOf(call, tool, index, 'call');
    const text = argumentsOf(tool);
    const isCustom = customTools(call).has(tool.name);
    const head = { type: isCustom ? 'custom_tool_call' : 'function_call', id, call_id: callId, name: tool.name };
    const field = isCustom ? 'input' : 'arguments';
    const kind = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
    items.push({
      empty: { ...head, status: 'in_progress', [field]: '' },
      deltas: [
        ...piecesOf(text, reply.pieces ?? 3).map((delta) => ({ type: `${kind}.delta`, item_id: id, delta })),
        { type: `${kind}.done`, item_id: id, name: tool.name, [field]: text },
      ],
      whole: { ...head, status: 'completed', [field]: text },
    });
  }
  return items;
}

function reasoningItem(call: ModelCall, thinking: string): Item {
  const id = `rs_${call.number}`;
  const whole = {
    type: 'reasoning',
    id,
    summary: [{ type: 'summary_text', text: thinking }],
    encrypted_content: `sealed-${call.number}`,
  };
  return { empty: { ...whole, summary: [] }, deltas: [], whole };
}

function messageItem(call: ModelCall, text: string, reply: Reply): Item {
  const id = `msg_${call.number}`;
  const isRefusal = reply.stop === 'refused';
  const part = isRefusal
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };
  const blank = isRefusal ? { ...part, refusal: '' } : { ...part, text: '' };
  const head = { type: 'message', id, role: 'assistant' };
  const at = { item_id: id, content_index: 0 };
  const kind = isRefusal ? 'response.refusal' : 'response.output_text';
  return {
    empty: { ...head, status: 'in_progress', content: [] },
    deltas: [
      { type: 'response.content_part.added', ...at, part: blank },
      ...piecesOf(text, reply.pieces ?? 3).map((delta) => ({ type: `${kind}.delta`, ...at, delta, logprobs: [] })),
      { type: `${kind}.done`, ...at, [isRefusal ? 'refusal' : 'text']: text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ],
    whole: { ...head, status: 'completed', content: [part] },
  };
}

function customTools(call: ModelCall): Set<string> {
  const tools = Array.isArray(call.body['tools']) ? (call.body['tools'] as { type?: string; name?: string }[]) : [];
  return new Set(tools.flatMap(({ type, name }) => (type === 'custom' && name !== undefined ? [name] : [])));
}

function wireUsage(usage: Usage): object {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}

function named(data: Event): string {
  return sse(data, data.type);
}
