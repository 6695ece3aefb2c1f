import type { ModelProvider } from '../../model.port.js';
import { openaiClient } from '../openai-client.js';
import { type WireOptions, wireProvider } from '../wire-provider.js';
import { OpenaiAnswer } from './answer.js';
import { openaiRequest } from './request.js';

const BASE_URL = 'https://api.openai.com/v1';

/** OpenAI's Responses API over its SDK, always as a stream. */
export function openaiProvider(options: WireOptions): ModelProvider {
  const { baseUrl = BASE_URL } = options;
  return wireProvider('openai', options, async ({ request, watch, tellUsage }) => {
    const answer = new OpenaiAnswer(tellUsage);
    const client = await openaiClient(options, baseUrl, request, watch);
    const stream = await client.responses.create(openaiRequest(request), { signal: watch.signal });
    // Left at its last event, which ends the request: what the connection does after that is nobody's loss.
    for await (const event of stream) {
      answer.take(event);
      if (answer.isDone) break;
    }
    return answer.done();
  });
}
