import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '#kernel';
import type { AddressGuard } from './address-guard.js';
import type { Answer, ClaimedDelivery, DeliveryStore, Verdict } from './delivery.port.js';
import { messageBody } from './message.js';
import type { SecretBox } from './secret-box.js';
import { post } from './send.js';
import { signedHeaders } from './signing.js';
import { type Outcome, verdictOf } from './verdict.js';

export interface DeliverySettings {
  readonly retriesMs: readonly number[];
  readonly timeoutMs: number;
  readonly keepDays: number;
}

export interface DeliveryParts {
  readonly store: DeliveryStore;
  readonly guard: AddressGuard;
  readonly box: SecretBox;
  readonly settings: DeliverySettings;
  readonly random: () => number;
  readonly watch: DeliveryWatch;
}

/** Who counts and traces. */
export interface DeliveryWatch {
  within(delivery: ClaimedDelivery, attempt: () => Promise<Answer>): Promise<Answer>;
  settled(delivery: ClaimedDelivery, answer: Answer, verdict: Verdict): void;
  failed(what: string, error: unknown): void;
}

const POLL_MS = 500;
const SLOTS = 64;
const SLOTS_PER_ENDPOINT = 16;
/** Beyond its time-out, an attempt has so long to be written down before another process takes the message. */
const SPARE_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
const USER_AGENT = 'qralph-webhooks/1';
const NOTHING_MORE = { isUnresolved: false, retryAfterMs: null };

/**
 * Sends what is due, a few at once and a few per endpoint, so that one that hangs does not hold up the others. Any
 * number of processes do this on one database. Running: from `start` to `stop`, which waits for what is under way.
 */
export class DeliveryLoop {
  private readonly underWay = new Set<Promise<void>>();
  private readonly busy = new Map<string, number>();
  private isStopping = false;
  /** Ends the pause between two looks. */
  private wake: () => void = () => undefined;
  private running: Promise<void> | null = null;
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly parts: DeliveryParts) {}

  start(): void {
    this.running ??= this.run();
    this.sweeper = setInterval(() => void this.sweep(), SWEEP_EVERY_MS).unref();
    void this.sweep();
  }

  /** What is under way ends within the time-out of an attempt; what cannot be waited for is sent again by others. */
  async stop(graceMs: number): Promise<void> {
    clearInterval(this.sweeper);
    this.isStopping = true;
    this.wake();
    await this.running;
    const grace = new AbortController();
    const { signal } = grace;
    await Promise.race([Promise.all(this.underWay), delay(graceMs, undefined, { signal }).catch(() => undefined)]);
    grace.abort();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const taken = await this.take();
      // Whatever ends makes room for the next.
      if (taken === 0 || this.underWay.size >= SLOTS) await this.pause();
    }
  }

  private pause(): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async take(): Promise<number> {
    const { store, settings, watch } = this.parts;
    try {
      const claimed = await store.claim({
        most: SLOTS - this.underWay.size,
        mostPerEndpoint: SLOTS_PER_ENDPOINT,
        busy: this.busy,
        leaseMs: settings.timeoutMs + SPARE_MS,
      });
      for (const delivery of claimed) this.begin(delivery);
      return claimed.length;
    } catch (error) {
      watch.failed('taking what is due', error);
      return 0;
    }
  }

  private begin(delivery: ClaimedDelivery): void {
    const { endpointId } = delivery;
    this.count(endpointId, 1);
    const work = this.deliver(delivery)
      .catch((error: unknown) => this.parts.watch.failed('writing down an attempt', error))
      .finally(() => {
        this.underWay.delete(work);
        this.count(endpointId, -1);
        this.wake();
      });
    this.underWay.add(work);
  }

  private count(endpointId: string, by: number): void {
    const count = (this.busy.get(endpointId) ?? 0) + by;
    if (count > 0) this.busy.set(endpointId, count);
    else this.busy.delete(endpointId);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { store, settings, random, watch } = this.parts;
    let more: Pick<Outcome, 'isUnresolved' | 'retryAfterMs'> = NOTHING_MORE;
    const answer = await watch.within(delivery, async () => {
      const { isUnresolved, retryAfterMs, ...rest } = await this.attempt(delivery);
      more = { isUnresolved, retryAfterMs };
      return rest;
    });
    const verdict = verdictOf(delivery, { ...answer, ...more }, settings.retriesMs, random());
    await store.settle(delivery, answer, verdict);
    watch.settled(delivery, answer, verdict);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<Outcome> {
    const { box, guard, settings } = this.parts;
    const body = messageBody(delivery);
    try {
      const secrets = box.openAll(delivery.secrets);
      const headers = {
        ...signedHeaders(secrets, delivery.id, new Date(), body),
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
      };
      return await post(guard, { url: delivery.url, headers, body }, settings.timeoutMs);
    } catch (error) {
      return { status: null, error: errorMessage(error).slice(0, 500), ms: 0, ...NOTHING_MORE };
    }
  }

  private async sweep(): Promise<void> {
    const { store, settings, watch } = this.parts;
    await store.sweep(settings.keepDays).catch((error: unknown) => watch.failed('forgetting old deliveries', error));
  }
}
