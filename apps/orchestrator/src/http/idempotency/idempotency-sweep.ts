import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Logger } from '#telemetry';
import type { IdempotencyStore } from '../ports.js';

const EVERY_MS = 3_600_000;

/** Forgets answers that are too old to be given again. Every process does it; doing it twice does no harm. */
export class IdempotencySweep implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    try {
      await this.store.sweep();
    } catch (error) {
      this.logger.warn({ error }, 'old answers could not be forgotten');
    }
  }
}
