import { Capabilities, CapabilityQuery } from '../capability.js';
import type { Route } from '../route.js';

export const capabilityRoutes = {
  listCapabilities: {
    method: 'get',
    path: '/v1/capabilities',
    summary:
      'The agents, skills and plugins that a team for this repository is chosen from, and what was odd about them',
    tag: 'capabilities',
    access: { scope: 'projects:read' },
    query: CapabilityQuery,
    success: { status: 200, description: 'All of them, by name', schema: Capabilities },
    failures: [422],
  },
} as const satisfies Record<string, Route>;
