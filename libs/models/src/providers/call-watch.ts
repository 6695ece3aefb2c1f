import type { ChatListener } from '../model.port.js';

/** Why a call was ended from our side. */
export type Ending = 'cancelled' | 'timeout' | 'idle' | 'too-large';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly idleMs: number;
  /** Of everything that is received. */
  readonly maxBytes: number;
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** No event of an honest stream is longer; SDKs keep a whole line in memory, and copy it as it grows. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const PREVIEW_BYTES = 600;

/**
 * One call under watch. It is waiting until `fetch` is used, then sent, then answering (headers came, bytes come), and
 * over at `close`. From the sending on, any of its limits, or the caller's signal, ends it once: `ending` says why,
 * `signal` aborts. SDKs hide who broke a stream off, so whoever reads one asks here first.
 */
export class CallWatch {
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #bytes = 0;
  #line = 0;
  #preview = Buffer.alloc(0);
  ending: Ending | null = null;
  isSent = false;
  status: number | null = null;
  contentType = '';
  #isBodyOver = false;

  constructor(
    private readonly limits: CallLimits,
    private readonly listener: ChatListener,
    private readonly send: Fetch = fetch,
  ) {
    this.#timer = setTimeout(() => this.#end('timeout'), bounded(limits.timeoutMs));
    if (listener.signal.aborted) this.#end('cancelled');
    else listener.signal.addEventListener('abort', this.#onCancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The body ended in the middle of a line: whatever is wrong with its last event comes from that. */
  get isCutInLine(): boolean {
    return this.#isBodyOver && this.#line > 0;
  }

  /** The beginning of what came, for the words of an error. */
  get preview(): string {
    return this.#preview.toString('utf8');
  }

  /** Redirects are not followed: they would carry the key to wherever they point. */
  readonly fetch: Fetch = async (input, init = {}) => {
    this.signal.throwIfAborted();
    this.isSent = true;
    this.#sawLife();
    const signal = init.signal ? AbortSignal.any([init.signal, this.signal]) : this.signal;
    const response = await this.send(input, { ...init, signal, redirect: 'manual' });
    this.#sawLife();
    this.status = response.status;
    this.contentType = response.headers.get('content-type') ?? '';
    if (!response.body) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, out) => {
        this.#count(chunk);
        if (this.ending === null) out.enqueue(chunk);
        else out.error(new Error('ended'));
      },
      flush: () => {
        this.#isBodyOver = true;
      },
    });
    const counted = response.body.pipeThrough(counter, { signal: this.signal });
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
    this.listener.signal.removeEventListener('abort', this.#onCancel);
    // Whatever is still on its way is of no use to anybody; without this the connection would be kept for it.
    this.#stop.abort();
  }

  readonly #onCancel = (): void => this.#end('cancelled');

  #sawLife(): void {
    clearTimeout(this.#idle);
    if (this.ending === null) this.#idle = setTimeout(() => this.#end('idle'), bounded(this.limits.idleMs));
  }

  #count(chunk: Uint8Array): void {
    this.#sawLife();
    this.#bytes += chunk.length;
    const newline = chunk.lastIndexOf(0x0a);
    this.#line = newline === -1 ? this.#line + chunk.length : chunk.length - newline - 1;
    if (this.#preview.length < PREVIEW_BYTES) {
      this.#preview = Buffer.concat([this.#preview, chunk.subarray(0, PREVIEW_BYTES - this.#preview.length)]);
    }
    if (this.#bytes > this.limits.maxBytes || this.#line > LONGEST_LINE) this.#end('too-large');
    else if (this.status === 200) this.listener.onBytes?.(this.#bytes);
  }

  #end(why: Ending): void {
    if (this.ending !== null) return;
    this.ending = why;
    this.#stop.abort();
  }
}

function bounded(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_TIMER_MS) : LONGEST_TIMER_MS;
}

const MEBIBYTE = 1024 * 1024;

/**
 * What an answer of so many tokens may take on the wire. A token in an event of its own takes about 300 bytes, and the
 * Responses protocol says everything again at the end.
 */
export function maxBytesOf(maxOutputTokens: number): number {
  return Math.min(MEBIBYTE + 1024 * maxOutputTokens, 48 * MEBIBYTE);
}
