import { apiKeyRoutes } from './routes/api-key-routes.js';
import { capabilityRoutes } from './routes/capability-routes.js';
import { checkpointRoutes } from './routes/checkpoint-routes.js';
import { costRoutes } from './routes/cost-routes.js';
import { memoryRoutes } from './routes/memory-routes.js';
import { healRoutes } from './routes/heal-routes.js';
import { noteRoutes } from './routes/note-routes.js';
import { processRoutes } from './routes/process-routes.js';
import { projectRoutes } from './routes/project-routes.js';
import { serviceRoutes } from './routes/service-routes.js';
import { teamRoutes } from './routes/team-routes.js';
import { webhookRoutes } from './routes/webhook-routes.js';
import { workspaceRoutes } from './routes/workspace-routes.js';

/** Every operation there is. A test compares this table with what the server really registers. */
export const routes = {
  ...projectRoutes,
  ...noteRoutes,
  ...checkpointRoutes,
  ...apiKeyRoutes,
  ...workspaceRoutes,
  ...teamRoutes,
  ...costRoutes,
  ...memoryRoutes,
  ...processRoutes,
  ...healRoutes,
  ...capabilityRoutes,
  ...webhookRoutes,
  ...serviceRoutes,
};
