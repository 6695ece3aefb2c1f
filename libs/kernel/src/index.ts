export * from './canonical-json.js';
export * from './clock.js';
export * from './errors.js';
export * from './hash.js';
export * from './ids.js';
export * from './json.js';
export * from './strict-json.js';
export * from './text.js';
