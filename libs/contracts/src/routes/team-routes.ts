import { FindingList, FindingQuery } from '../finding.js';
import { HealProblemList } from '../heal.js';
import { PageQuery } from '../list.js';
import { ProjectParams } from '../project.js';
import type { Route } from '../route.js';
import { MessageList, TaskList, Team } from '../team.js';

const read = { scope: 'projects:read' } as const;

export const teamRoutes = {
  projectTeam: {
    method: 'get',
    path: '/v1/projects/{id}/team',
    summary: 'Who works on the project, and why each has a seat',
    tag: 'team',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'The team', schema: Team },
    failures: [404, 409],
  },
  listTasks: {
    method: 'get',
    path: '/v1/projects/{id}/tasks',
    summary: 'What the team has to do, in the order of its doing',
    tag: 'team',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of tasks', schema: TaskList },
    failures: [404],
  },
  listMessages: {
    method: 'get',
    path: '/v1/projects/{id}/messages',
    summary: 'What teammates and the lead said to each other, oldest first',
    tag: 'team',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of messages', schema: MessageList },
    failures: [404],
  },
  listFindings: {
    method: 'get',
    path: '/v1/projects/{id}/findings',
    summary: 'What reviewers found, and what became of it',
    tag: 'team',
    access: read,
    params: ProjectParams,
    query: FindingQuery,
    success: { status: 200, description: 'A page of findings', schema: FindingList },
    failures: [404],
  },
  listProblems: {
    method: 'get',
    path: '/v1/projects/{id}/problems',
    summary: 'What broke on the way, and every attempt to heal it',
    tag: 'team',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of problems', schema: HealProblemList },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
