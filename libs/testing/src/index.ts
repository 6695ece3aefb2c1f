export * from './servers/index.js';
export * from './memory/index.js';
export * from './model-server/index.js';
export * from './sample-project.js';
export * from './store-conformance.js';
export * from './simulation/index.js';
export * from './queue-conformance.js';
export * from './agent-conformance.js';
