export * from './config-table.js';
export type { Config, TracingSettings } from './config.js';
export * from './load-config.js';
