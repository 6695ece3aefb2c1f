export * from './command-runner.js';
export * from './end-group.js';
export * from './left-behind.js';
export { isAlive, startTimeOf } from './proc.js';
export * from './process-registry.port.js';
