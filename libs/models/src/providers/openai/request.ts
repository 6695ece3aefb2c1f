import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { Json, JsonObject } from '#kernel';
import type { ChatRequest, Message } from '../../model.port.js';
import { argumentsText, schemaName } from '../openai-wire.js';
import { isJsonObject } from '../tool-input.js';

/** Models that do not reason refuse to be asked for their reasoning. */
const DOES_NOT_REASON = /^(?:gpt-3|gpt-4|chatgpt-4)/;

export function openaiRequest(request: ChatRequest): ResponseCreateParamsStreaming {
  const { model, system, tools, output, maxOutputTokens } = request;
  return {
    model: model.model,
    input: request.messages.flatMap(itemsOf),
    max_output_tokens: maxOutputTokens,
    stream: true,
    // Nothing is kept at the provider: each request carries all of its conversation, reasoning sealed.
    store: false,
    ...(DOES_NOT_REASON.test(model.model) ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(system === '' ? {} : { instructions: system }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(output === undefined
      ? {}
      : {
          text: { format: { type: 'json_schema', name: schemaName(output.name), schema: output.schema, strict: true } },
        }),
  };
}

/** Strict mode would make every optional argument of a tool a required one. */
function toolOf({ name, description, schema }: ChatRequest['tools'][number]): FunctionTool {
  return { type: 'function', name, description, parameters: schema, strict: false };
}

function itemsOf(message: Message): ResponseInputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'tools':
      return message.results.map(({ callId, text }) => ({
        type: 'function_call_output',
        call_id: callId,
        output: text,
      }));
    case 'assistant':
      return answerItems(message);
  }
}

function answerItems({ raw, text, toolCalls }: Extract<Message, { role: 'assistant' }>): ResponseInputItem[] {
  const kept = rawItems(raw);
  if (kept.length > 0) return kept as unknown as ResponseInputItem[];
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...toolCalls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: argumentsText(input),
    })),
  ];
}

/** Reasoning that is neither sealed nor kept at the provider means nothing to it. */
function rawItems(raw: Json): JsonObject[] {
  const items = isJsonObject(raw) ? raw['openai'] : undefined;
  if (!Array.isArray(items)) return [];
  return (items as Json[])
    .filter(isJsonObject)
    .filter((item) => item['type'] !== 'reasoning' || item['encrypted_content']);
}
