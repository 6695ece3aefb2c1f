import { ProcessList } from '../process.js';
import { ProjectParams } from '../project.js';
import type { Route } from '../route.js';

const read = { scope: 'projects:read' } as const;

export const processRoutes = {
  listProcesses: {
    method: 'get',
    path: '/v1/processes',
    summary: 'What runs for projects now, as trees of processes, oldest first',
    tag: 'workspace',
    access: read,
    success: { status: 200, description: 'All of them', schema: ProcessList },
  },
  projectProcesses: {
    method: 'get',
    path: '/v1/projects/{id}/processes',
    summary: 'What runs for a project now, as trees of processes, oldest first',
    tag: 'workspace',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'All of them', schema: ProcessList },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
