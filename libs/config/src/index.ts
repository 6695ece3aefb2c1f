export * from './cli-settings.js';
export { configTable } from './config-table.js';
export type { Config, ModelSettings, TracingSettings } from './config.js';
export * from './load-config.js';
