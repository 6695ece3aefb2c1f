import { Liveness, ReadinessReport } from '../health.js';
import { MachineList, MachineParams, MachineView } from '../machine.js';
import type { Route } from '../route.js';
import { ServiceView } from '../service.js';

const read = { scope: 'projects:read' } as const;

export const serviceRoutes = {
  listMachines: {
    method: 'get',
    path: '/v1/machines',
    summary: 'Every machine as JSON and as a Mermaid diagram',
    tag: 'machines',
    access: read,
    success: { status: 200, description: 'The machines', schema: MachineList },
  },
  getMachine: {
    method: 'get',
    path: '/v1/machines/{name}',
    summary: 'One machine as JSON and as a Mermaid diagram',
    tag: 'machines',
    access: read,
    params: MachineParams,
    success: { status: 200, description: 'The machine', schema: MachineView },
    failures: [404],
  },
  service: {
    method: 'get',
    path: '/v1/service',
    summary: 'What the service is made of, and who the key belongs to',
    tag: 'service',
    access: read,
    success: { status: 200, description: 'As it runs now', schema: ServiceView },
  },
  live: {
    method: 'get',
    path: '/health/live',
    summary: 'The process answers',
    tag: 'service',
    access: 'open',
    success: { status: 200, description: 'It does', schema: Liveness },
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    summary: 'Database and queue answer, and this process could take work lately',
    tag: 'service',
    access: 'open',
    success: { status: 200, description: 'All of it', schema: ReadinessReport },
    others: [{ status: 503, description: 'Not all of it: the checks say what is missing', schema: ReadinessReport }],
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    tag: 'service',
    access: read,
    success: { status: 200, description: 'Prometheus text format', mediaType: 'text/plain' },
  },
  openApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    tag: 'service',
    access: 'open',
    success: { status: 200, description: 'OpenAPI 3.1' },
  },
} as const satisfies Record<string, Route>;
