export * from './link.js';
export * from './restore.js';
export * from './verify.js';
