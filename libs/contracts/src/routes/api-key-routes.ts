import { ApiKeyList, ApiKeyParams, CreateApiKey, NewApiKey } from '../api-key.js';
import { PageQuery } from '../list.js';
import type { Route } from '../route.js';

const admin = { scope: 'admin' } as const;

export const apiKeyRoutes = {
  createApiKey: {
    method: 'post',
    path: '/v1/api-keys',
    summary: 'Makes an API key; needs a human principal',
    tag: 'api-keys',
    access: { scope: 'admin', human: true },
    body: CreateApiKey,
    success: { status: 201, description: 'The key, shown this once', schema: NewApiKey },
  },
  listApiKeys: {
    method: 'get',
    path: '/v1/api-keys',
    summary: 'Lists API keys, newest first',
    tag: 'api-keys',
    access: admin,
    query: PageQuery,
    success: { status: 200, description: 'A page of keys, without their secrets', schema: ApiKeyList },
  },
  revokeApiKey: {
    method: 'delete',
    path: '/v1/api-keys/{id}',
    summary: 'Revokes an API key; needs a human principal',
    tag: 'api-keys',
    access: { scope: 'admin', human: true },
    params: ApiKeyParams,
    success: { status: 204, description: 'It opens nothing any more, at the latest after 5 s' },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
