import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
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

/** What the database holds of messages to the outside, whoever sends them. */
export interface WebhookBacklog {
  /** `now`: a process with a place free takes it. `later`: it is being sent, or waits for its next attempt. */
  readonly pending: readonly {
    readonly due: 'now' | 'later';
    readonly count: number;
    readonly oldestSeconds: number;
  }[];
  /** Of the last hour. */
  readonly ended: readonly { readonly outcome: string; readonly count: number }[];
}

/** With the database away these are missing, and the other figures are there. */
export function webhookGauges(registers: Registry[], source: () => (() => Promise<WebhookBacklog>) | undefined): void {
  let asked: Promise<WebhookBacklog> | undefined;
  // The gauges of one scrape share one question.
  const backlog = (): Promise<WebhookBacklog> =>
    (asked ??= (source()?.() ?? Promise.resolve(NONE)).catch(() => NONE).finally(() => (asked = undefined)));
  const gauge = (name: string, help: string, label: string, values: (from: WebhookBacklog) => [string, number][]) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const from = await backlog();
        this.reset();
        for (const [which, value] of values(from)) this.set({ [label]: which }, value);
      },
    });
  gauge(METRIC.webhookPending, 'Messages that are still to be sent, by whether they could be now', 'due', (from) =>
    from.pending.map(({ due, count }) => [due, count]),
  );
  gauge(METRIC.webhookOldest, 'How long ago the oldest of these was told', 'due', (from) =>
    from.pending.map(({ due, oldestSeconds }) => [due, oldestSeconds]),
  );
  gauge(METRIC.webhookEnded, 'Messages that ended within the last hour, by how', 'outcome', (from) =>
    from.ended.map(({ outcome, count }) => [outcome, count]),
  );
}

const NONE: WebhookBacklog = { pending: [], ended: [] };
