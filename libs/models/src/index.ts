export * from './model-error.js';
export * from './model.port.js';
export * from './money/ledger.port.js';
