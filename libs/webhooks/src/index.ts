export * from './address-guard.js';
export { parseRange } from './addresses.js';
export * from './delivery-loop.js';
export * from './delivery.port.js';
export * from './resolve.js';
export * from './schedule.js';
export * from './secret-box.js';
export * from './signing.js';
