import type { Config } from '#config';
import { type Database, PgDeliveries } from '#persistence';
import { type Logger, type Metrics, withWebhookSpan } from '#telemetry';
import { AddressGuard, asThisMachine, DeliveryLoop, type DeliveryWatch, SecretBox } from '#webhooks';

const LONGEST_RESOLVE_MS = 5_000;

/** Where messages may go. */
export const addressGuard = ({ webhooks: { allowed, timeoutMs } }: Pick<Config, 'webhooks'>): AddressGuard =>
  new AddressGuard(allowed, asThisMachine(allowed), Math.min(LONGEST_RESOLVE_MS, timeoutMs));

export interface DeliverySurroundings {
  readonly config: Config;
  readonly pool: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Tells those outside what they want to know, from this process and any other on the same database. */
export function hostDeliveries({ config, pool, logger, metrics }: DeliverySurroundings): DeliveryLoop {
  const { key, retriesMs, timeoutMs, keepDays } = config.webhooks;
  const loop = new DeliveryLoop({
    store: new PgDeliveries(pool),
    guard: addressGuard(config),
    box: new SecretBox(key),
    settings: { retriesMs, timeoutMs, keepDays },
    random: Math.random,
    watch: watchOf(logger, metrics),
  });
  loop.start();
  return loop;
}

function watchOf(logger: Logger, metrics: Metrics): DeliveryWatch {
  return {
    within: ({ id: delivery, endpointId: webhookId, type, attempt, traceparent }, work) =>
      withWebhookSpan({ type, webhookId, delivery, attempt }, traceparent, work),
    settled: ({ id: delivery, endpointId: webhook, type, attempt, createdAt }, { status, error, ms }, { kind }) => {
      const lagSeconds = (Date.now() - createdAt.getTime()) / 1_000;
      metrics.webhookAttempt({ type, outcome: kind, seconds: ms / 1_000, lagSeconds });
      const level = kind === 'delivered' ? 'debug' : kind === 'retry' ? 'info' : 'warn';
      logger[level]({ delivery, webhook, type, attempt, status, error, ms, outcome: kind }, 'a message was sent');
    },
    failed: (what, error) => logger.warn({ what, error }, 'telling those outside failed; it is tried again'),
  };
}
