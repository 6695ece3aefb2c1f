import type { ChatAnswer, ChatRequest, Usage } from '../model.port.js';
import type { PlaybookAnswer } from './playbook.schema.js';

const CHARACTERS_PER_TOKEN = 4;
export const PLAYBOOK_MODEL = 'playbook';

/** The answer as a provider would give it, the same every time. */
export function answerFrom(said: PlaybookAnswer, request: ChatRequest, turn: number): ChatAnswer {
  const { about } = request;
  const text = textOf(said);
  const isTooLong = tokensOf(text) > request.maxOutputTokens;
  const toolCalls = isTooLong
    ? []
    : said.tools.map(({ name, input }, at) => ({ id: `call-${turn}-${at}`, name, input }));
  return {
    id: `playbook/${about.role}/${about.purpose}/${about.attempt}/${turn}`,
    model: PLAYBOOK_MODEL,
    text: isTooLong ? text.slice(0, request.maxOutputTokens * CHARACTERS_PER_TOKEN) : text,
    toolCalls,
    stop: isTooLong ? 'length' : (said.stop ?? (toolCalls.length > 0 ? 'tools' : 'end')),
    usage: usageOf(said, text, request),
    raw: null,
  };
}

function textOf({ text, findings, json }: PlaybookAnswer): string {
  if (findings !== undefined) return JSON.stringify({ findings });
  return json === undefined ? (text ?? '') : JSON.stringify(json);
}

function usageOf({ usage, tools }: PlaybookAnswer, text: string, request: ChatRequest): Usage {
  const { system, messages, tools: offered, maxOutputTokens } = request;
  const output = tokensOf(text) + tokensOf(tools.map(({ input }) => JSON.stringify(input)).join('')) + 1;
  return {
    input: usage?.input ?? tokensOf(JSON.stringify([system, messages, offered])),
    output: usage?.output ?? Math.min(output, maxOutputTokens),
    cacheRead: usage?.cacheRead ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    reasoning: usage?.reasoning ?? 0,
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
