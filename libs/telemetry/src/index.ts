export * from './logger.js';
export * from './metrics.js';
export * from './names.js';
export * from './probe.js';
export { queueAround, type RequestSpan, withRequestSpan, withWebhookSpan } from './spans.js';
export { formatTraceparent, newTraceparent, parseTraceparent } from './traceparent.js';
export { startTracing, type Tracing, type TracingSettings } from './tracing.js';
export * from './work-trace.js';
export type { WebhookBacklog } from './webhook-metrics.js';
