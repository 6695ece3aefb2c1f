import { CommandAccepted, GiveCommand, GivenCommandList } from '../command.js';
import { EventList, EventQuery } from '../event.js';
import { DecideGate, DecisionAccepted, GateList, GateParams } from '../gate.js';
import { PageQuery } from '../list.js';
import { Project, ProjectList, ProjectParams, ProjectQuery, StartedProject } from '../project.js';
import type { Route } from '../route.js';
import { StartProject } from '../start-project.js';
import { ProjectSummary } from '../summary.js';

const read = { scope: 'projects:read' } as const;
const write = { scope: 'projects:write' } as const;

export const projectRoutes = {
  startProject: {
    method: 'post',
    path: '/v1/projects',
    summary: 'Starts a project',
    tag: 'projects',
    access: write,
    body: StartProject,
    isIdempotent: true,
    shownOnce: ['webhook', 'secret'],
    success: {
      status: 202,
      description: 'It is stored and will be driven to its end',
      schema: StartedProject,
      hasLocation: true,
    },
    failures: [409],
  },
  listProjects: {
    method: 'get',
    path: '/v1/projects',
    summary: 'Lists projects, newest first',
    tag: 'projects',
    access: read,
    query: ProjectQuery,
    success: { status: 200, description: 'A page of projects', schema: ProjectList },
  },
  getProject: {
    method: 'get',
    path: '/v1/projects/{id}',
    summary: 'Where a project stands',
    tag: 'projects',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'The project', schema: Project },
    failures: [404],
  },
  projectSummary: {
    method: 'get',
    path: '/v1/projects/{id}/summary',
    summary: 'Where a project stands, for whoever comes back to it; as text with `Accept: text/markdown`',
    tag: 'projects',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'In under 2,000 tokens', schema: ProjectSummary, also: ['text/markdown'] },
    failures: [404],
  },
  projectEvents: {
    method: 'get',
    path: '/v1/projects/{id}/events',
    summary: 'What happened, as a page, or live with `Accept: text/event-stream` (resumed by `Last-Event-ID`)',
    tag: 'projects',
    access: read,
    params: ProjectParams,
    query: EventQuery,
    success: { status: 200, description: 'Events in order', schema: EventList, also: ['text/event-stream'] },
    others: [{ status: 204, description: 'To a stream that is resumed: the project has ended, and all was sent' }],
    failures: [404],
  },
  commandProject: {
    method: 'post',
    path: '/v1/projects/{id}/commands',
    summary: 'Gives a command, which takes effect at the next safe point',
    tag: 'projects',
    access: write,
    params: ProjectParams,
    body: GiveCommand,
    isIdempotent: true,
    success: { status: 202, description: 'The command is stored', schema: CommandAccepted },
    failures: [404, 409, 429],
  },
  listCommands: {
    method: 'get',
    path: '/v1/projects/{id}/commands',
    summary: 'The commands that were given, newest first, refused ones too, and what became of each',
    tag: 'projects',
    access: read,
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of commands', schema: GivenCommandList },
    failures: [404],
  },
  listGates: {
    method: 'get',
    path: '/v1/gates',
    summary: 'Everything that waits for a person, oldest first',
    tag: 'gates',
    access: read,
    query: PageQuery,
    success: { status: 200, description: 'What waits, over all projects and their children', schema: GateList },
  },
  projectGates: {
    method: 'get',
    path: '/v1/projects/{id}/gates',
    summary: 'What waits for a person now: each entry says which call answers it',
    tag: 'gates',
    access: read,
    params: ProjectParams,
    success: { status: 200, description: 'What waits', schema: GateList },
    failures: [404],
  },
  decideGate: {
    method: 'post',
    path: '/v1/projects/{id}/gates/{name}',
    summary: 'Decides a gate; only a human principal may',
    tag: 'gates',
    access: { scope: 'gates:decide', human: 'inside' },
    params: GateParams,
    body: DecideGate,
    isIdempotent: true,
    success: { status: 202, description: 'The decision is stored', schema: DecisionAccepted },
    failures: [404, 409, 429],
  },
} as const satisfies Record<string, Route>;
