export { type CliLimits, CLI_LIMITS } from './cli-parts.js';
export { cliRuntime } from './cli-runtime.js';
export type { CliSpec } from './cli-spec.js';
export { findCli } from './find-cli.js';
export { CLIS } from './specs/index.js';
