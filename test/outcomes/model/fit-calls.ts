import type { Reply, ScriptedToolCall } from '#testing';
import type { Conversation } from './conversation.js';
import { fitSchema } from './fit-schema.js';

type Offer = Pick<Conversation, 'tools' | 'inputs'>;

/** The reply with calls of offered tools only, each with the input that the schema of its tool asks for. */
export function fitCalls(reply: Reply, offer: Offer): Reply {
  const wanted = reply.toolCalls ?? [];
  if (wanted.length === 0) return reply;
  const toolCalls = wanted.filter(({ name }) => offer.tools.includes(name)).map((call) => fitInput(call, offer));
  if (toolCalls.length > 0) return { ...reply, toolCalls };
  return { text: `I have no tool for this: ${[...new Set(wanted.map(({ name }) => name))].join(', ')}.` };
}

function fitInput(call: ScriptedToolCall, { inputs }: Offer): ScriptedToolCall {
  const schema = inputs.get(call.name);
  return schema ? { ...call, input: fitSchema(call.input, schema) } : call;
}
