import type { ModelServer } from '#testing';
import { ModelError } from '../model-error.js';
import type { ChatAnswer, ChatListener, ChatRequest, ModelProvider } from '../model.port.js';
import { anthropicProvider } from './anthropic/provider.js';
import { compatibleProvider } from './compatible/provider.js';
import { openaiProvider } from './openai/provider.js';
import type { WireOptions } from './wire-provider.js';

export const KEY = 'a-key-of-the-test-0123456789';
export const NOW = Date.parse('2026-03-01T12:00:00Z');

export type Maker = (server: Pick<ModelServer, 'url' | 'openaiUrl'>, options?: WireOptions) => ModelProvider;

/** The three protocols, each over the official SDK. */
export const MAKERS: readonly (readonly [string, Maker])[] = [
  ['anthropic', ({ url }, options) => anthropicProvider({ apiKey: KEY, baseUrl: url, now: () => NOW, ...options })],
  [
    'openai',
    ({ openaiUrl }, options) => openaiProvider({ apiKey: KEY, baseUrl: openaiUrl, now: () => NOW, ...options }),
  ],
  [
    'compatible',
    ({ openaiUrl }, options) =>
      compatibleProvider({ name: 'compatible', apiKey: KEY, now: () => NOW, ...options, baseUrl: openaiUrl }),
  ],
];

export function chatRequest(changes: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: { provider: 'any', model: 'model-of-the-test' },
    system: 'You are a test.',
    messages: [{ role: 'user', text: 'Say something.' }],
    tools: [],
    maxOutputTokens: 1_000,
    timeoutMs: 5_000,
    idleMs: 5_000,
    about: { role: 'implementer', purpose: 'errand', attempt: 1, tier: 'small' },
    ...changes,
  };
}

export function chat(
  provider: ModelProvider,
  changes: Partial<ChatRequest> = {},
  listener: Partial<ChatListener> = {},
): Promise<ChatAnswer> {
  return provider.chat(chatRequest(changes), { signal: new AbortController().signal, ...listener });
}

/** What a chat fails with; anything but a ModelError fails the test. */
export async function failure(answer: Promise<ChatAnswer>): Promise<ModelError> {
  const outcome = await answer.then(
    () => new Error('the chat was answered'),
    (error: unknown) => error,
  );
  if (outcome instanceof ModelError) return outcome;
  throw outcome;
}
