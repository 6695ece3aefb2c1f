import type { Json, JsonObject } from '#kernel';

/**
 * Models as the rest of the program sees them. Glossary:
 * - provider: who serves models over one wire protocol (`anthropic`, `openai`, `compatible`, `playbook`).
 * - tier: how able a model has to be; configuration says which models stand for it, the first one first.
 * - chat: one request to a model and its whole answer. A conversation is the caller's: each chat carries all of it.
 * - simulated: answered by the playbook, not by a model; whatever shows such an answer must say so.
 */
export type Tier = 'small' | 'medium' | 'large';
export const TIERS: readonly Tier[] = ['small', 'medium', 'large'];

/** Written `provider:model`, as in `anthropic:claude-haiku-5-5`. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** The provider's own form of the answer: sent back to it unchanged where a conversation goes on. */
      readonly raw: Json;
    }
  | { readonly role: 'tools'; readonly results: readonly ToolResult[] };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** What the model gave; any JSON, and a text where it was no JSON at all: nothing about it is to be trusted. */
  readonly input: Json;
}

export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its input. */
  readonly schema: JsonObject;
}

/** Who asks and what for: the playbook chooses by it, the ledger keeps it. */
export interface ChatAbout {
  readonly role: string;
  readonly purpose: string;
  readonly attempt: number;
  readonly tier: Tier | null;
}

export interface ChatRequest {
  readonly model: ModelRef;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Always set: what a call may cost at most follows from it. */
  readonly maxOutputTokens: number;
  /** The answer's text is to be JSON of this schema. */
  readonly output?: { readonly name: string; readonly schema: JsonObject };
  readonly timeoutMs: number;
  /** The longest silence of a stream. */
  readonly idleMs: number;
  readonly about: ChatAbout;
}

/** Token classes, none of which counts a token twice, except that `reasoning` is a part of `output`. */
export interface Usage {
  /** Neither read from nor written to a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** Said before an answer broke off: all that the call was sent, and as much of its output as had been counted by then. */
export interface UsageSoFar {
  readonly soFar: Usage;
}

/** What a call is known to have been billed; `unknown` where an answer had begun, or may have, and nobody said how much. */
export type Billed = Usage | UsageSoFar | 'nothing' | 'unknown';

export interface ChatAnswer {
  readonly id: string;
  /** The model as the provider names it in its answer. */
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly stop: 'end' | 'tools' | 'length' | 'refused';
  readonly usage: Usage;
  /** The server counted nothing: what the call cost is unknown, and `usage` says nothing. */
  readonly isUsageKnown?: false;
  readonly raw: Json;
}

export interface ChatListener {
  readonly signal: AbortSignal;
  /** Told as an answer comes: how many bytes of it there are by now, be they text, thoughts or arguments of tools. */
  readonly onBytes?: (bytes: number) => void;
}

/** What a simulated model can do. */
export interface RequestScope {
  fits(request: string): boolean;
  /** Requests that fit, for people. */
  readonly examples: readonly string[];
}

export interface ModelProvider {
  readonly name: string;
  readonly isSimulated: boolean;
  /** Absent if it takes every request. */
  readonly scope?: RequestScope;
  /** Throws ModelError and nothing else, whatever the wire brings. */
  chat(request: ChatRequest, listener: ChatListener): Promise<ChatAnswer>;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
