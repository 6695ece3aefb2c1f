export { apiRuntime } from './api-runtime.js';
export { API_LIMITS, type ApiLimits } from './limits.js';
export type { ApiRuntimeParts, CommandPlace } from './runtime-parts.js';
