export { insertBudget, rootOf } from './budget-rows.js';
export * from './pg-ledger.js';
