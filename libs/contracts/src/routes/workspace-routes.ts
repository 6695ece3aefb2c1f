import { ProjectParams } from '../project.js';
import type { Route } from '../route.js';
import { ArtifactContent, ArtifactList, ArtifactParams, ProjectDiff } from '../workspace.js';

const read = { scope: 'projects:read' } as const;

export const workspaceRoutes = {
  projectDiff: {
    method: 'get',
    path: '/v1/projects/{id}/diff',
    summary: 'What the project changed in its repository so far',
    tag: 'workspace',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'The change', schema: ProjectDiff },
    failures: [404, 409],
  },
  listArtifacts: {
    method: 'get',
    path: '/v1/projects/{id}/artifacts',
    summary: 'The readable files that the project left in its repository',
    tag: 'workspace',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'All of them', schema: ArtifactList },
    failures: [404],
  },
  getArtifact: {
    method: 'get',
    path: '/v1/projects/{id}/artifacts/{name}',
    summary: 'One of these files',
    tag: 'workspace',
    access: read,
    params: ArtifactParams,
    rest: 'name',
    success: { status: 200, description: 'The file', schema: ArtifactContent },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
