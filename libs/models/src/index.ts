export * from './model-desk.port.js';
export * from './model-error.js';
export * from './model.port.js';
export * from './money/index.js';
export * from './playbook/index.js';
export * from './providers/index.js';
export * from './token-estimate.js';
