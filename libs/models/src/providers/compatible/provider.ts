import type { ModelProvider } from '../../model.port.js';
import { openaiClient } from '../openai-client.js';
import { type WireOptions, wireProvider } from '../wire-provider.js';
import { CompatibleAnswer } from './answer.js';
import { compatibleRequest } from './request.js';

export interface CompatibleOptions extends WireOptions {
  /** By which tiers name it. */
  readonly name: string;
  readonly baseUrl: string;
}

/** Any server that speaks OpenAI's chat completions. */
export function compatibleProvider(options: CompatibleOptions): ModelProvider {
  return wireProvider(options.name, options, async ({ request, watch, tellUsage }) => {
    const answer = new CompatibleAnswer(tellUsage);
    const client = await openaiClient(options, options.baseUrl, request, watch);
    const stream = await client.chat.completions.create(compatibleRequest(request), { signal: watch.signal });
    for await (const chunk of stream) answer.take(chunk);
    return answer.done();
  });
}
