import type { Usage } from '#models';
import type { Fault, ModelCall, Reply, ScriptedToolCall } from './reply.js';

/** One protocol's way to say things. */
export interface Wire {
  /** The whole answer, as a stream and as one body. */
  render(
    call: ModelCall,
    reply: Reply,
    usage: Usage | null,
  ): { readonly events: readonly string[]; readonly body: object };
  /** An event that carries so much text, for answers without end. */
  filler(text: string): string;
  errorBody(fault: Extract<Fault, { kind: 'status' }>): object;
  errorEvent(type: string, words: string): string;
}

export function sse(data: object | string, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

export function piecesOf(text: string, pieces: number): string[] {
  if (text === '') return [];
  const letters = Array.from(text);
  const size = Math.max(1, Math.ceil(letters.length / pieces));
  const cut: string[] = [];
  for (let at = 0; at < letters.length; at += size) cut.push(letters.slice(at, at + size).join(''));
  return cut;
}

export function argumentsOf(call: ScriptedToolCall): string {
  return call.argumentsText ?? JSON.stringify(call.input ?? {});
}

export function callIdOf(call: ModelCall, tool: ScriptedToolCall, index: number, prefix: string): string {
  return tool.id ?? `${prefix}_${call.number}_${index}`;
}

/** Four characters to a token: near enough, and the same every time. */
export function usageOf(call: ModelCall, reply: Reply): Usage {
  const said = (reply.text ?? '').length + (reply.toolCalls ?? []).map(argumentsOf).join('').length;
  const reasoning = Math.ceil((reply.thinking ?? '').length / 4);
  const made = {
    input: Math.ceil(JSON.stringify(call.body).length / 4),
    output: Math.ceil(said / 4) + reasoning + 1,
    cacheRead: 0,
    cacheWrite: 0,
    reasoning,
  };
  return { ...made, ...reply.usage };
}
