export * from './pg-memory.js';
