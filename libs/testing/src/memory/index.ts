export * from './memory-project.js';
export * from './memory-store.js';
