import type { ServerResponse } from 'node:http';
import type { OtherRequest } from './reply.js';

const MODELS = ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5', 'gpt-test'];

/** What clients ask beside chats. */
export function answerOther({ method, path, headers, body }: OtherRequest, out: ServerResponse): void {
  const json = (status: number, value: object): void => {
    out.writeHead(status, { 'content-type': 'application/json' });
    out.end(method === 'HEAD' ? undefined : JSON.stringify(value));
  };
  if (path.endsWith('/count_tokens')) return json(200, { input_tokens: Math.ceil(body.length / 4) });
  if (path.endsWith('/models')) return json(200, modelList('anthropic-version' in headers));
  if (method === 'HEAD' || method === 'OPTIONS') return json(200, {});
  json(404, { type: 'error', error: { type: 'not_found_error', message: `no such path: ${method} ${path}` } });
}

function modelList(isAnthropic: boolean): object {
  if (!isAnthropic) {
    return {
      object: 'list',
      data: MODELS.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'test' })),
    };
  }
  const data = MODELS.map((id) => ({ id, type: 'model', display_name: id, created_at: '2026-01-01T00:00:00Z' }));
  return { data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}
