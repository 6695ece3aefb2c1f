import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { Json, JsonObject } from '#kernel';
import type { ChatRequest, Message } from '../../model.port.js';
import { isJsonObject } from '../tool-input.js';

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

export function anthropicRequest(request: ChatRequest): MessageCreateParamsStreaming {
  const { model, system, tools, output, maxOutputTokens } = request;
  // Writing to the cache costs more than reading input once: worth it only for what is going to be sent again.
  const isLoop = tools.length > 0 || request.messages.length > 1;
  const messages = request.messages.map(messageOf);
  if (isLoop) cacheUpToLast(messages);
  return {
    model: model.model,
    max_tokens: maxOutputTokens,
    messages,
    stream: true,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...(isLoop ? CACHED : {}) }] }),
    ...(tools.length === 0 ? {} : { tools: toolsOf(request, isLoop && system === '') }),
    ...(output === undefined ? {} : { output_config: { format: { type: 'json_schema', schema: output.schema } } }),
  };
}

/** Tools come before the system text in what is cached, so that one mark on the latter covers both. */
function toolsOf({ tools }: ChatRequest, isMarked: boolean): Tool[] {
  return tools.map(({ name, description, schema }, index) => ({
    name,
    description,
    input_schema: { ...schema, type: 'object' },
    ...(isMarked && index === tools.length - 1 ? CACHED : {}),
  }));
}

/** The end of this request, to be read by the next one, and the end of the one before, where reading begins. */
function cacheUpToLast(messages: readonly MessageParam[]): void {
  const answered = messages.slice(0, -1).findLastIndex(({ role }) => role === 'assistant');
  for (const message of [messages.at(-1), messages[answered - 1]]) {
    const block = message?.role === 'user' && Array.isArray(message.content) ? message.content.at(-1) : undefined;
    if (block) Object.assign(block, CACHED);
  }
}

function messageOf(message: Message): MessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [textBlock(message.text)] };
    case 'tools':
      return {
        role: 'user',
        content: message.results.map(({ callId, text, isError }) => ({
          type: 'tool_result',
          tool_use_id: callId,
          content: text,
          ...(isError ? { is_error: true } : {}),
        })),
      };
    case 'assistant':
      return { role: 'assistant', content: contentOf(message) };
  }
}

/** The API refuses an empty text, and a message without content. */
function textBlock(text: string): TextBlockParam {
  return { type: 'text', text: text === '' ? '(empty)' : text };
}

function contentOf(message: Extract<Message, { role: 'assistant' }>): ContentBlockParam[] {
  const kept = rawContent(message.raw).filter((block) => !(block['type'] === 'text' && block['text'] === ''));
  if (kept.length > 0) return kept as unknown as ContentBlockParam[];
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    type: 'tool_use' as const,
    id,
    name,
    input: isJsonObject(input) ? input : {},
  }));
  return calls.length > 0 && message.text === '' ? calls : [textBlock(message.text), ...calls];
}

/** Answers of another provider have another form: those are told anew. */
function rawContent(raw: Json): JsonObject[] {
  const content = isJsonObject(raw) ? raw['anthropic'] : undefined;
  return Array.isArray(content) ? (content as Json[]).filter(isJsonObject) : [];
}
