export * from './pg-deliveries.js';
export * from './pg-webhooks.js';
export * from './webhook-backlog.js';
