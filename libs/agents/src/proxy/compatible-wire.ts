import { boundCompletion, keepKnown, openaiWire } from './openai-wire.js';
import type { Wire } from './wire.js';

/** OpenAI's chat completions as other servers speak them: without its newer API, and with the limit's older name. */
export const compatibleWire: Wire = {
  ...openaiWire,
  name: 'compatible',
  path: '/v1/proxy/compatible',
  route: (method, path) => {
    const route = openaiWire.route(method, path);
    return route?.kind === 'chat' ? null : route;
  },
  shape: (body, route, limits) => {
    keepKnown(body, route);
    return boundCompletion(body, 'max_tokens', limits);
  },
  // A server of one's own may want no key at all.
  authorise: (apiKey) => (apiKey === '' ? {} : openaiWire.authorise(apiKey)),
};
