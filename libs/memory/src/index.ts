export * from './lifetime.js';
export * from './memory.port.js';
export * from './rank.js';
export * from './words.js';
