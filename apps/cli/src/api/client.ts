import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerOf, Problem, type Route } from '#contracts';
import { errorMessage } from '#kernel';
import { EXIT } from '../exit-codes.js';
import { Failure, Refusal } from '../failure.js';
import { isRefusedConnection, Lost, unreachable } from './lost.js';

export interface ClientSettings {
  readonly url: string;
  /** Fails where there is none. */
  readonly key: () => Promise<string>;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
  /** How long an answer that got lost is asked for again: a service that is started anew does not lose its callers. */
  readonly waitMs?: number;
  /** Whether that holds too where nobody listens, as while a service is down. */
  readonly waitsForStart?: boolean;
}

export interface Asking {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Under which the service knows the request again; a fresh one where unset. */
  readonly idempotencyKey?: string;
}

const WAIT_MS = 10_000;
const PAUSE_MS = 250;
/** The longest that one answer may take: a chain of thousands of checkpoints, a patch of megabytes. */
const ANSWER_MS = 120_000;

/**
 * The API over HTTP, as its route table says. A request that may be sent again (it reads, or carries an
 * Idempotency-Key) is sent again for a while when its answer gets lost or the service says 503.
 */
export class Client {
  constructor(readonly settings: ClientSettings) {}

  /** The same service, waited for as long as it takes it to be started anew. */
  patient(waitMs: number): Client {
    return new Client({ ...this.settings, waitMs, waitsForStart: true });
  }

  async call<const R extends Route>(route: R, asking: Asking = {}): Promise<AnswerOf<R>> {
    const { waitMs = WAIT_MS, waitsForStart = false, signal } = this.settings;
    const headers = { ...(route.isIdempotent && { 'idempotency-key': asking.idempotencyKey ?? randomUUID() }) };
    const mayRepeat = isReading(route) || route.isIdempotent === true;
    const until = performance.now() + waitMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.once(route, asking, headers);
      } catch (error) {
        const isWorth = error instanceof Lost && (waitsForStart || tries > 1 || !isRefusedConnection(error));
        if (!mayRepeat || !isWorth || performance.now() >= until) throw error instanceof Lost ? error.failure : error;
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }

  /** A request whose answer is read by whoever asked. */
  async open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const authorization = await this.authorization();
    try {
      return await fetch(this.settings.url + path, {
        headers: { ...authorization, ...headers },
        redirect: 'error',
        signal,
      });
    } catch (error) {
      throw this.lost(error);
    }
  }

  async refusalOf(response: Response): Promise<Failure | Lost> {
    return failureOf(response.status, await response.text());
  }

  /** What a connection that broke is told as; what was broken off here stays what it is. */
  lost(error: unknown): unknown {
    return this.settings.signal.aborted ? error : new Lost(unreachable(this.settings.url, error), error);
  }

  private async once<R extends Route>(
    route: R,
    { params = {}, query = {}, body }: Asking,
    headers: Readonly<Record<string, string>>,
  ): Promise<AnswerOf<R>> {
    const { url, signal } = this.settings;
    const authorization = route.access === 'open' ? {} : await this.authorization();
    let answer: { status: number; text: string };
    try {
      const response = await fetch(url + pathOf(route, params) + queryOf(query), {
        method: route.method.toUpperCase(),
        headers: {
          ...authorization,
          ...headers,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      answer = { status: response.status, text: await response.text() };
    } catch (error) {
      throw this.lost(error);
    }
    const isExpected = [route.success, ...(route.others ?? [])].some(({ status }) => status === answer.status);
    if (!isExpected) throw failureOf(answer.status, answer.text);
    return (answer.text === '' ? undefined : parsed(answer.text)) as AnswerOf<R>;
  }

  private async authorization(): Promise<Readonly<Record<string, string>>> {
    return { authorization: `Bearer ${await this.settings.key()}` };
  }
}

/** Some calls that read are no GET: a whole chain is verified by POST. */
const isReading = ({ method, access }: Route): boolean =>
  method === 'get' || (access !== 'open' && access.scope === 'projects:read');

export function pathOf(route: Route, params: Readonly<Record<string, string | number>>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
}

function queryOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** What a proxy answers in place of a service that is being started anew. */
const AWAY = [502, 503, 504];

function failureOf(status: number, text: string): Failure | Lost {
  const problem = Problem.safeParse(jsonOrNull(text));
  if (!problem.success) {
    const message = `what answers there with ${String(status)} is no QRALPH service; is the address right?`;
    const failure = new Failure(EXIT.unreachable, 'NOT_THE_SERVICE', message);
    return AWAY.includes(status) ? new Lost(failure, failure) : failure;
  }
  const refusal = new Refusal(problem.data);
  return status === 503 || problem.data.code === 'IDEMPOTENCY_IN_FLIGHT' ? new Lost(refusal, refusal) : refusal;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `what answers there is no QRALPH service: ${errorMessage(error)}`;
    throw new Failure(EXIT.unreachable, 'NOT_THE_SERVICE', message, { cause: error });
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
