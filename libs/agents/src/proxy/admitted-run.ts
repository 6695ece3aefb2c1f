import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PromptMemory } from './prompt-memory.js';
import type { ProxyRun, Upstream } from './proxy.port.js';
import { Refusal, STOP } from './refusal.js';
import { Room } from './room.js';
import { RunTally } from './run-tally.js';
import type { Wire } from './wire.js';

/** Long enough to be recognised as a secret wherever it turns up. */
const newToken = (): string => `qr_run_${randomBytes(32).toString('base64url')}`;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** CLIs make some calls at once, for subagents and titles; what is more waits. */
const MOST_UNDER_WAY = 8;
const LONGEST_QUEUE = 32;
/** Requests that cost nothing, and those that are tried again, are more than the calls of a run, but not without end. */
const mostRequests = (maxCalls: number): number => 10 * maxCalls + 200;

/** A run that may call its model until it is revoked. */
export class AdmittedRun {
  readonly token = newToken();
  readonly tally = new RunTally();
  readonly prompts = new PromptMemory();
  /** Its bodies are read one after the other. */
  readonly turns = new Room(1, MOST_UNDER_WAY);
  /** Calls come in over a socket, and belong to the trace of whoever asked for the run all the same. */
  private readonly inContext = AsyncLocalStorage.snapshot();
  private readonly expected = digest(this.token);
  private readonly end = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly places = new Room(MOST_UNDER_WAY, LONGEST_QUEUE);
  private requests = 0;

  constructor(
    readonly run: ProxyRun,
    readonly wire: Wire,
    readonly upstream: Upstream,
  ) {}

  get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Takes as long for a token that is nearly right as for any other. */
  isMeantBy(token: string): boolean {
    return timingSafeEqual(digest(token), this.expected) && !this.end.signal.aborted;
  }

  /** Makes a call when there is place for it, and remembers it until it is settled. Throws Refusal. */
  during(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const most = mostRequests(this.run.maxCalls);
    this.requests += 1;
    if (this.requests > most) throw new Refusal(STOP, 'REQUESTS_SPENT', `the run has made ${String(most)} requests`);
    const call = this.inContext(() => this.inPlace(work, signal));
    this.underWay.add(call);
    return call.finally(() => this.underWay.delete(call));
  }

  private async inPlace(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const leave = await this.places.enter(1, signal);
    try {
      await work();
    } finally {
      leave();
    }
  }

  async revoke(): Promise<void> {
    this.end.abort();
    while (this.underWay.size > 0) await Promise.allSettled([...this.underWay]);
  }
}
