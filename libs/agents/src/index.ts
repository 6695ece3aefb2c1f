export * from './agent.port.js';
