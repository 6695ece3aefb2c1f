export { apiRuntime } from './api-runtime.js';
export { API_LIMITS, type ApiLimits } from './limits.js';
