import type { ClaimedDelivery } from './delivery.port.js';

/** What is sent. The same for every attempt: all of it is in the delivery's row, or never changes. */
export function messageBody({ type, createdAt, project, details }: ClaimedDelivery): string {
  const data = project ? { project, ...details } : details;
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
}
