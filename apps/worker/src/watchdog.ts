import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Interval, ScheduleModule } from '@nestjs/schedule';

/** What is looked after: dead workers of this host, what they left running, and records of what has ended. */
export interface Watched {
  /** By name. Each at its own pace: one that takes long, or fails, keeps no other waiting. */
  readonly looks: Readonly<Record<string, () => Promise<unknown>>>;
  onFailure(look: string, error: unknown): void;
}

/** How often a worker looks for dead neighbours on its own host: sooner than their leases run out. */
const LOOK_EVERY_MS = 1_000;
const WATCHED = Symbol('Watched');

@Injectable()
export class Watchdog {
  private readonly looking = new Map<string, Promise<void>>();

  constructor(@Inject(WATCHED) private readonly watched: Watched) {}

  @Interval(LOOK_EVERY_MS)
  async tick(): Promise<void> {
    await Promise.all(Object.keys(this.watched.looks).map((name) => this.lookOnce(name)));
  }

  /** One look of a name at a time: ending what was left may take longer than the pause between two. */
  private lookOnce(name: string): Promise<void> {
    const looking = this.looking.get(name) ?? this.look(name).finally(() => this.looking.delete(name));
    this.looking.set(name, looking);
    return looking;
  }

  private async look(name: string): Promise<void> {
    try {
      await this.watched.looks[name]?.();
    } catch (error) {
      this.watched.onFailure(name, error);
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
