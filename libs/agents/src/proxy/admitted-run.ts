import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ProxyRun, Upstream } from './proxy.port.js';
import { RunTally } from './run-tally.js';
import type { Wire } from './wire.js';

/** Long enough to be recognised as a secret wherever it turns up. */
const newToken = (): string => `qr_run_${randomBytes(32).toString('base64url')}`;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A run that may call its model until it is revoked. */
export class AdmittedRun {
  readonly token = newToken();
  readonly tally = new RunTally();
  /** Calls come in over a socket, and belong to the trace of whoever asked for the run all the same. */
  private readonly inContext = AsyncLocalStorage.snapshot();
  private readonly expected = digest(this.token);
  private readonly end = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

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

  /** Makes a call, and remembers it until it is settled. */
  during(work: () => Promise<void>): Promise<void> {
    const call = this.inContext(work);
    this.underWay.add(call);
    return call.finally(() => this.underWay.delete(call));
  }

  async revoke(): Promise<void> {
    this.end.abort();
    while (this.underWay.size > 0) await Promise.allSettled([...this.underWay]);
  }
}
