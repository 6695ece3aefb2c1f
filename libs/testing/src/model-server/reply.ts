import type { Json } from '#kernel';
import type { Usage } from '#models';

/**
 * What a test wants of the model server. Glossary:
 * - reply: one answer of the pretended model, and how it reaches the client.
 * - fault: what goes wrong on the way. Whatever had begun to be answered is billed, as a provider would.
 * - script: chooses the reply to each call.
 */
export interface Reply {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** What is not given is made up from the lengths of request and reply; null: the server reports no usage at all. */
  readonly usage?: Partial<Usage> | null;
  /** Default: `tools` where there are tool calls, else `end`. */
  readonly stop?: ScriptedStop;
  /** The model as the answer names it; default: as asked for. */
  readonly model?: string;
  /** Into how many pieces texts and arguments are cut; default 3. */
  readonly pieces?: number;
  /** Cuts the bytes of the stream regardless of events and characters. */
  readonly chunkBytes?: number;
  /** Before the first byte, and between two events. */
  readonly afterMs?: number;
  readonly everyMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: Fault;
}

export type ScriptedStop = 'end' | 'tools' | 'length' | 'refused' | 'paused' | 'context';

export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: Json;
  /** Sent as it is instead of `input`: arguments that are no JSON, or the free text of a custom tool. */
  readonly argumentsText?: string;
}

export type Fault =
  /** An error instead of an answer, in the protocol's own shape unless a body is given. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly type?: string;
      readonly code?: string;
      readonly words?: string;
      readonly body?: string;
    }
  /** The protocol's error event in the middle of a stream. */
  | { readonly kind: 'error-event'; readonly afterEvents: number; readonly type: string; readonly words: string }
  /** The stream ends properly, but too early. */
  | { readonly kind: 'cut'; readonly afterEvents?: number; readonly afterBytes?: number }
  /** The connection is reset; after 0 events nothing of an answer was seen. */
  | { readonly kind: 'reset'; readonly afterEvents: number }
  /** Answered and billed, but not a byte arrives. */
  | { readonly kind: 'lost' }
  /** Nothing more comes, and the connection stays open; after 0 events not even a status. */
  | { readonly kind: 'silence'; readonly afterEvents: number }
  /** The answer is complete, and then the connection is reset, or stays open for ever. */
  | { readonly kind: 'after-end'; readonly then: 'reset' | 'silence' }
  /** Never idle, never done: a comment every so often. */
  | { readonly kind: 'drip'; readonly everyMs: number; readonly afterEvents?: number }
  /** An event whose data is no JSON. */
  | { readonly kind: 'malformed'; readonly afterEvents: number }
  | { readonly kind: 'html' }
  | { readonly kind: 'empty' }
  /** Text until so many bytes were sent. */
  | { readonly kind: 'huge'; readonly bytes: number };

export type Protocol = 'anthropic' | 'responses' | 'completions';

/** A request as it came, and what became of it. */
export interface ModelCall {
  /** Counts from 1. */
  readonly number: number;
  readonly protocol: Protocol;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CallBody;
  readonly model: string;
  readonly isStream: boolean;
  /** Answers of the model that the conversation already holds. */
  readonly turn: number;
  readonly tools: readonly string[];
  readonly usage: Usage | null;
  /** What a provider would write on its bill; null: nothing, or still under way. */
  readonly billed: Usage | null;
  /** The client went away before the answer's end. */
  readonly isAbandoned: boolean;
}

export type CallBody = Readonly<Record<string, unknown>>;

/** Everything but chats: lists of models, token counts, and what nobody expected. */
export interface OtherRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Script = (call: ModelCall) => Reply | Promise<Reply>;
