import { MemoryEntry, MemoryList, MemoryParams, MemoryQuery, NewMemory } from '../memory.js';
import type { Route } from '../route.js';

const write = { scope: 'projects:write' } as const;

export const memoryRoutes = {
  listMemory: {
    method: 'get',
    path: '/v1/memory',
    summary: 'What projects learnt and people told them: newest first, or best first where something is asked',
    tag: 'memory',
    access: { scope: 'projects:read' },
    query: MemoryQuery,
    success: { status: 200, description: 'A page of entries', schema: MemoryList },
  },
  addMemory: {
    method: 'post',
    path: '/v1/memory',
    summary: 'Tells all projects something; the same words again are the entry that is there, made young again',
    tag: 'memory',
    access: write,
    body: NewMemory,
    isIdempotent: true,
    success: { status: 201, description: 'The entry', schema: MemoryEntry },
  },
  forgetMemory: {
    method: 'delete',
    path: '/v1/memory/{id}',
    summary: 'Forgets an entry',
    tag: 'memory',
    access: write,
    params: MemoryParams,
    success: { status: 204, description: 'It is gone' },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
