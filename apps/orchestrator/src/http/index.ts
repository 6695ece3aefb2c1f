export { ADMIN_KEY_FILE, ensureAdminKey } from './auth/admin-key.js';
export { createHttpApp } from './create-http-app.js';
export type { HttpDeps } from './http-deps.js';
export { machineView } from './machine-view.js';
export type * from './ports.js';
export { type Check, readinessOf } from './readiness.js';
