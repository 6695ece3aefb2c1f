import { Counter, Histogram, type Registry } from 'prom-client';
import { METRIC } from './names.js';

export interface WebhookAttempt {
  readonly type: string;
  /** What follows from it: `delivered`, `retry`, `failed` or `gone`. */
  readonly outcome: string;
  readonly seconds: number;
  /** From the change until this attempt had ended. */
  readonly lagSeconds: number;
}

/** Figures of what is told outside. */
export function webhookFigures(registers: Registry[]): (attempt: WebhookAttempt) => void {
  const attempts = new Counter({
    name: METRIC.webhookAttempts,
    help: 'Attempts to deliver a message, by its type and by what followed',
    labelNames: ['type', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: METRIC.webhookDuration,
    help: 'How long a receiver took to answer',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
    registers,
  });
  const lag = new Histogram({
    name: METRIC.webhookLag,
    help: 'Time from a change until its message had arrived',
    buckets: [0.1, 0.5, 1, 2.5, 10, 60, 600, 3_600, 21_600, 86_400, 345_600],
    registers,
  });
  return ({ type, outcome, seconds, lagSeconds }) => {
    attempts.inc({ type, outcome });
    durations.observe(seconds);
    if (outcome === 'delivered') lag.observe(Math.max(0, lagSeconds));
  };
}
