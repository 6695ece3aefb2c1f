export * from './git-scratch.js';
export * from './scratch.port.js';
