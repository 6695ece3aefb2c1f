export { copyCaps, familyUnderWay, insertBudget, rootOf } from './budget-rows.js';
export * from './change-caps.js';
export * from './pg-costs.js';
export * from './pg-ledger.js';
export * from './pg-project-budgets.js';
