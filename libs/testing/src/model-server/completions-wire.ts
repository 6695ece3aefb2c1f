import type { Usage } from '#models';
import type { ScriptedStop } from './reply.js';
import { openaiErrorBody } from './openai-error.js';
import { argumentsOf, callIdOf, piecesOf, sse, type Wire } from './wire.js';

const STOPS: Record<ScriptedStop, string> = {
  end: 'stop',
  tools: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
  paused: 'stop',
  context: 'length',
};

export const completionsWire: Wire = {
  render: (call, reply, usage) => {
    const pieces = reply.pieces ?? 3;
    const finish = STOPS[reply.stop ?? (reply.toolCalls?.length ? 'tools' : 'end')];
    const head = { id: `chatcmpl-${call.number}`, created: 1_700_000_000, model: reply.model ?? call.model };
    const chunk = (delta: object, finishReason: string | null = null): string =>
      sse({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      });
    const tools = (reply.toolCalls ?? []).map((tool, index) => ({
      index,
      id: callIdOf(call, tool, index, 'call'),
      name: tool.name,
      text: argumentsOf(tool),
    }));
    const asksForUsage = (call.body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage;
    const events = [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(reply.thinking ?? '', pieces).map((part) => chunk({ reasoning_content: part })),
      ...piecesOf(reply.text ?? '', pieces).map((content) => chunk({ content })),
      ...tools.flatMap(({ index, id, name, text }) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...piecesOf(text, pieces).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finish),
      ...(asksForUsage === true && usage
        ? [sse({ ...head, object: 'chat.completion.chunk', choices: [], usage: wireUsage(usage) })]
        : []),
      sse('[DONE]'),
    ];
    const message = {
      role: 'assistant',
      content: reply.text ?? null,
      refusal: null,
      ...(tools.length > 0
        ? {
            tool_calls: tools.map(({ id, name, text }) => ({
              id,
              type: 'function',
              function: { name, arguments: text },
            })),
          }
        : {}),
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    return {
      events,
      body: { ...head, object: 'chat.completion', choices, ...(usage ? { usage: wireUsage(usage) } : {}) },
    };
  },
  filler: (content) =>
    sse({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  errorBody: openaiErrorBody,
  errorEvent: (type, message) => sse({ error: { message, type, param: null, code: null } }),
};

function wireUsage(usage: Usage): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
