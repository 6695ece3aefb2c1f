import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions';
import type { Json } from '#kernel';
import type { ChatRequest, Message } from '../../model.port.js';
import { argumentsText, schemaName } from '../openai-wire.js';
import { isJsonObject } from '../tool-input.js';

export function compatibleRequest(request: ChatRequest): ChatCompletionCreateParamsStreaming {
  const { model, system, tools, output, maxOutputTokens } = request;
  return {
    model: model.model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...request.messages.flatMap(messagesOf),
    ],
    // The newer name of this limit is not known to most of those who speak the protocol.
    max_tokens: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            function: { name, description, parameters: schema },
          })),
        }),
    ...(output === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: schemaName(output.name), schema: output.schema, strict: true },
          },
        }),
  };
}

function messagesOf(message: Message): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'tools':
      return message.results.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text }));
    case 'assistant': {
      const { text, toolCalls, raw } = message;
      if (toolCalls.length === 0) return [{ role: 'assistant', content: text }];
      const calls = toolCalls.map(({ id, name, input }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: argumentsText(input) },
      }));
      return [{ role: 'assistant', content: text === '' ? null : text, tool_calls: calls, ...reasoningOf(raw) }];
    }
  }
}

/** Models that reason between tool calls want to see it again, and only then. */
function reasoningOf(raw: Json): object {
  const kept = isJsonObject(raw) ? raw['completions'] : undefined;
  const reasoning = isJsonObject(kept) ? kept['reasoning_content'] : undefined;
  return typeof reasoning === 'string' && reasoning !== '' ? { reasoning_content: reasoning } : {};
}
