export * from './ledger.port.js';
