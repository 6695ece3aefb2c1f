import type OpenAI from 'openai';
import type { ChatRequest } from '../model.port.js';
import type { CallWatch } from './call-watch.js';
import { NO_KEY, SDK_MARGIN_MS, type WireOptions } from './wire-provider.js';

/** A client for one call. What the SDK would take from the environment is said here: configuration is not its business. */
export async function openaiClient(
  { apiKey }: WireOptions,
  baseUrl: string,
  request: ChatRequest,
  watch: CallWatch,
): Promise<OpenAI> {
  // Loaded with the first call: a service that calls nobody does without it.
  const { OpenAI } = await import('openai');
  return new OpenAI({
    apiKey: apiKey ?? NO_KEY,
    baseURL: baseUrl,
    organization: null,
    project: null,
    adminAPIKey: null,
    fetch: watch.fetch,
    maxRetries: 0,
    timeout: request.timeoutMs + SDK_MARGIN_MS,
    logLevel: 'off',
  });
}
