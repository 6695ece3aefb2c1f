import { CheckpointDetail, CheckpointList, CheckpointParams, VerifyResult } from '../checkpoint.js';
import { PageQuery } from '../list.js';
import { Project, ProjectParams } from '../project.js';
import type { Route } from '../route.js';

const read = { scope: 'projects:read' } as const;
const person = { scope: 'projects:write', human: true } as const;

export const checkpointRoutes = {
  listCheckpoints: {
    method: 'get',
    path: '/v1/projects/{id}/checkpoints',
    summary: 'The chain of checkpoints, newest first',
    tag: 'checkpoints',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of the chain', schema: CheckpointList },
    failures: [404],
  },
  getCheckpoint: {
    method: 'get',
    path: '/v1/projects/{id}/checkpoints/{seq}',
    summary: 'One link of the chain',
    tag: 'checkpoints',
    access: read,
    params: CheckpointParams,
    success: { status: 200, description: 'The link', schema: CheckpointDetail },
    failures: [404],
  },
  verifyCheckpoints: {
    method: 'post',
    path: '/v1/projects/{id}/checkpoints/verify',
    summary: 'Verifies the whole chain',
    tag: 'checkpoints',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'Valid, or the first bad link', schema: VerifyResult },
    failures: [404],
  },
  restoreCheckpoint: {
    method: 'post',
    path: '/v1/projects/{id}/checkpoints/{seq}/restore',
    summary: 'Goes back to a checkpoint; the project must be paused or waiting, and its children at rest',
    tag: 'checkpoints',
    access: person,
    params: CheckpointParams,
    isIdempotent: true,
    success: { status: 202, description: 'A new link that repeats the old one was appended', schema: Project },
    failures: [404, 409],
  },
  forkCheckpoint: {
    method: 'post',
    path: '/v1/projects/{id}/checkpoints/{seq}/fork',
    summary: 'Starts a new project from a checkpoint',
    tag: 'checkpoints',
    access: person,
    params: CheckpointParams,
    isIdempotent: true,
    success: { status: 202, description: 'The new project', schema: Project, hasLocation: true },
    failures: [404, 409],
  },
} as const satisfies Record<string, Route>;
