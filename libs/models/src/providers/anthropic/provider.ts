import type { ModelProvider } from '../../model.port.js';
import { NO_KEY, SDK_MARGIN_MS, type WireOptions, wireProvider } from '../wire-provider.js';
import { AnthropicAnswer } from './answer.js';
import { anthropicRequest } from './request.js';

const BASE_URL = 'https://api.anthropic.com';

/** Anthropic's Messages API over its SDK, always as a stream. */
export function anthropicProvider(options: WireOptions): ModelProvider {
  const { apiKey, baseUrl = BASE_URL } = options;
  return wireProvider('anthropic', options, async ({ request, watch, tellUsage }) => {
    // Loaded with the first call: a service that calls nobody does without it.
    const { Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({
      apiKey: apiKey ?? NO_KEY,
      baseURL: baseUrl,
      fetch: watch.fetch,
      maxRetries: 0,
      timeout: request.timeoutMs + SDK_MARGIN_MS,
      openTelemetry: false,
      logLevel: 'off',
    });
    const answer = new AnthropicAnswer(tellUsage);
    const stream = await client.messages.create(anthropicRequest(request), { signal: watch.signal });
    // Left at its last event, which ends the request: what the connection does after that is nobody's loss.
    for await (const event of stream) {
      answer.take(event);
      if (answer.isDone) break;
    }
    return answer.done();
  });
}
