import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Interval, ScheduleModule } from '@nestjs/schedule';

/** What is looked after: dead workers of this host, what they left running, and records of what has ended. */
export interface Watched {
  look(): Promise<unknown>;
  onFailure(error: unknown): void;
}

/** How often a worker looks for dead neighbours on its own host: sooner than their leases run out. */
const LOOK_EVERY_MS = 1_000;
const WATCHED = Symbol('Watched');

@Injectable()
export class Watchdog {
  private looking: Promise<void> | null = null;

  constructor(@Inject(WATCHED) private readonly watched: Watched) {}

  /** One look at a time: ending what was left may take longer than the pause between two. */
  @Interval(LOOK_EVERY_MS)
  async tick(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = null));
    await this.looking;
  }

  private async look(): Promise<void> {
    try {
      await this.watched.look();
    } catch (error) {
      this.watched.onFailure(error);
    }
  }
}

@Module({})
class WatchdogModule {
  static over(watched: Watched): DynamicModule {
    return {
      module: WatchdogModule,
      imports: [ScheduleModule.forRoot()],
      providers: [Watchdog, { provide: WATCHED, useValue: watched }],
    };
  }
}

/** Looks from now on, until it is stopped. */
export async function startWatchdog(watched: Watched): Promise<{ stop(): Promise<void> }> {
  const context = await NestFactory.createApplicationContext(WatchdogModule.over(watched), {
    logger: false,
    abortOnError: false,
  });
  return { stop: () => context.close() };
}
