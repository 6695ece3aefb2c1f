import type { ModelProvider, Usage } from '../../model.port.js';
import { refused } from '../failure.js';
import { openaiClient } from '../openai-client.js';
import { type WireOptions, wireProvider } from '../wire-provider.js';
import { OpenaiAnswer } from './answer.js';
import { openaiRequest } from './request.js';

const NAME = 'openai';
const BASE_URL = 'https://api.openai.com/v1';

/** OpenAI's Responses API over its SDK, always as a stream. */
export function openaiProvider(options: WireOptions): ModelProvider {
  const { baseUrl = BASE_URL, now = Date.now } = options;
  return wireProvider(NAME, options, async ({ request, watch, tell, knownUsage, redact }) => {
    let billed: Usage | 'unknown' = 'unknown';
    const note = (usage: Usage): void => {
      billed = usage;
      knownUsage(usage);
    };
    const answer = new OpenaiAnswer(tell, note, ({ code, words }) => {
      const clean = redact(words);
      throw refused({
        provider: NAME,
        status: null,
        type: null,
        code,
        words: clean,
        header: () => null,
        nowMs: now(),
        billed,
      });
    });
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
