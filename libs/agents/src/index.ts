export * from './agent.port.js';
export * from './api/index.js';
export * from './cli/index.js';
export * from './notes/index.js';
export * from './proxy/index.js';
