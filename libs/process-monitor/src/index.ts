export * from './command.js';
export * from './command-runner.js';
export * from './end-group.js';
export * from './left-behind.js';
export * from './live-processes.js';
export { isAlive, startTimeOf } from './proc.js';
export * from './process-registry.port.js';
export * from './process-tree.js';
export { mostTasks } from './task-ceiling.js';
