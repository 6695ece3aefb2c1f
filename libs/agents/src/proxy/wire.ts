import type { JsonObject } from '#kernel';
import { type AnthropicCounts, errorIn, type ErrorSaid, type Usage, type UsageSoFar } from '#models';
import type { WireName } from './proxy.port.js';

/** The body of a request as it came: JSON, and nothing else is known about it. */
export type Body = Record<string, unknown>;

export interface Route {
  /** Metered ones are paid for by the token; the others cost nothing. */
  readonly kind: 'chat' | 'completion' | 'free';
  /** Below the upstream's base URL. */
  readonly upstreamPath: string;
}

export interface ShapeLimits {
  readonly maxOutputTokens: number;
}

/** What the answer said about itself so far. */
export interface Reading {
  /** Of reports that come in pieces. */
  readonly counts: AnthropicCounts;
  usage: Usage | null;
  /** The answer came to its end, and the usage is that of all of it. */
  isWhole: boolean;
  /** Of protocols that say what was sent before the answer: what is known though it breaks off. */
  soFar: UsageSoFar | null;
  /** It came to its end, whether anybody counted it or not. */
  hasEnded: boolean;
  answeredBy: string | null;
  answerId: string | null;
  /** An error that came as a part of the answer. */
  failure: ErrorSaid | null;
}

/** A provider's protocol, as far as a proxy has to know it. */
export interface Wire {
  readonly name: WireName;
  readonly path: string;
  route(method: string, path: string): Route | null;
  /** Changes the body into one whose cost is bounded, and says by how many tokens its answer is. Throws Refusal. */
  shape(body: Body, route: Route, limits: ShapeLimits): number;
  /** Adds words to what the model is told before the conversation. */
  instruct(body: Body, route: Route, text: string): void;
  /** One event of a stream, or the whole body of an answer that is none. */
  read(data: unknown, reading: Reading): void;
  errorBody(status: number, code: string, words: string): JsonObject;
  authorise(apiKey: string): Record<string, string>;
}

export const newReading = (): Reading => ({
  counts: {},
  usage: null,
  isWhole: false,
  soFar: null,
  hasEnded: false,
  answeredBy: null,
  answerId: null,
  failure: null,
});

/** Takes away all but what is named: a provider learns new words faster than anybody here learns what they cost. */
export function keepOnly(body: Record<string, unknown>, names: ReadonlySet<string>): void {
  for (const name of Object.keys(body)) if (!names.has(name)) delete body[name];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null);

/** An error that came as a part of an answer; texts as long as they are worth. */
export function failureIn(error: Record<string, unknown>): ErrorSaid {
  const { type, code, words } = errorIn(error);
  return { type: textOf(type), code: textOf(code), words: words?.slice(0, 2_000) ?? null };
}

/** The wish for so many tokens of output, cut to the limit; the limit where none or nonsense was wished for. */
export function outputWish(wish: unknown, limit: number): number {
  if (typeof wish !== 'number' || !Number.isInteger(wish) || wish < 1) return limit;
  return Math.min(wish, limit);
}
