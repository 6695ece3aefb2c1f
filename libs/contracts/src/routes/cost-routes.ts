import { ChangeBudget } from '../budget.js';
import { CostGroupList, CostQuery, ProjectCosts } from '../costs.js';
import { PageQuery } from '../list.js';
import { Project, ProjectParams } from '../project.js';
import type { Route } from '../route.js';

const read = { scope: 'projects:read' } as const;

export const costRoutes = {
  projectCosts: {
    method: 'get',
    path: '/v1/projects/{id}/costs',
    summary: 'What a project and its children spent: sums, and every call of a model',
    tag: 'costs',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'Sums and a page of calls', schema: ProjectCosts },
    failures: [404],
  },
  listCosts: {
    method: 'get',
    path: '/v1/costs',
    summary: 'What all projects spent, by project, agent, model, state or day, the dearest first',
    tag: 'costs',
    access: read,
    query: CostQuery,
    success: { status: 200, description: 'A page of groups', schema: CostGroupList },
  },
  changeBudget: {
    method: 'post',
    path: '/v1/projects/{id}/budget',
    summary: 'Raises a cap, which needs a human principal, or lowers it: past a lowered one nothing more is sent',
    tag: 'costs',
    access: { scope: 'projects:write' },
    params: ProjectParams,
    body: ChangeBudget,
    isIdempotent: true,
    success: { status: 200, description: 'The project with its new caps', schema: Project },
    failures: [404, 409],
  },
} as const satisfies Record<string, Route>;
