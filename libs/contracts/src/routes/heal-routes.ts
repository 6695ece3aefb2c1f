import { HealPatternList, PatternQuery } from '../heal.js';
import type { Route } from '../route.js';

export const healRoutes = {
  listPatterns: {
    method: 'get',
    path: '/v1/patterns',
    summary: 'What healed which error, of one repository or of all, used last first',
    tag: 'memory',
    access: { scope: 'projects:read' },
    query: PatternQuery,
    success: { status: 200, description: 'A page of patterns', schema: HealPatternList },
  },
} as const satisfies Record<string, Route>;
