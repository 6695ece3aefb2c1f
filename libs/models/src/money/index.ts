export * from './bound.js';
export * from './ledger.port.js';
export * from './meter.js';
export * from './nano-usd.js';
export * from './open-price-book.js';
export * from './price-book.js';
export * from './price-table.js';
export * from './price.js';
export type { CallOutcome } from './settlement.js';
