import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import { LeaseLost } from '#engine';
import { errorCode, errorMessage, QualifiedError, type SpanFacts } from '#kernel';
import { BudgetExceeded, type CallOutcome, type OpenCall } from '#models';
import type { AdmittedRun } from './admitted-run.js';
import { type Ending, exchange } from './exchange.js';
import { headersToClient, headersToProvider, resetTime } from './headers.js';
import { boundOfPrompt } from './prompt-bound.js';
import type { CallEnd, ProxyLimits, ProxyOptions } from './proxy.port.js';
import { readBody } from './read-body.js';
import { Refusal, STOP } from './refusal.js';
import { type Body, newReading, type Route, type Wire } from './wire.js';

export interface CallParts extends Pick<ProxyOptions, 'meter' | 'trace' | 'secrets' | 'clock' | 'onError'> {
  readonly limits: ProxyLimits;
  readonly agents: { readonly http: Agent; readonly https: Agent };
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly admitted: AdmittedRun;
  readonly route: Route;
  readonly search: string;
  /** Aborts when the client has gone or the run has ended. */
  readonly signal: AbortSignal;
}

interface Settled {
  readonly call: Pick<CallEnd, 'usage' | 'costNanoUsd' | 'errorCode'>;
  readonly facts: SpanFacts;
}

/** How long a call waits for others on the same budget to be settled; CLIs give up on a silent server later. */
const PATIENCE_MS = 120_000;
const WAITED_FOR = new Set([429, 529]);
const OVERLOADED = /overloaded|rate_limit|quota/;

/** One call of a run: shaped, reserved, sent, passed on, settled. Throws Refusal for what is not sent. */
export async function answerCall(call: Call, parts: CallParts): Promise<void> {
  const { request, admitted, route } = call;
  if (request.method === 'GET') return void (await forward(call, parts, null));
  const body = await readBody(request, parts.limits.requestBytes);
  const most = admitted.wire.shape(body, route, { maxOutputTokens: admitted.run.maxOutputTokens });
  refuseOtherModel(body, admitted);
  // Sent as it was understood here: a key that stands there twice may not mean one thing here and another upstream.
  const text = serialised(body);
  if (route.kind === 'free') return void (await forward(call, parts, Buffer.from(text)));
  const bound = boundOfPrompt(body, text, most);
  const { model, about, maxCalls } = admitted.run;
  if (!admitted.tally.begin(maxCalls)) {
    throw new Refusal(STOP, 'AGENT_OUT_OF_TURNS', `the run has made all of its ${String(maxCalls)} calls`);
  }
  const facts = { provider: model.provider, model: model.model, agent: about.agent, conversation: about.effect.key };
  try {
    await parts.trace.within('chat', model.model, facts, async (note) => {
      const open = await reserve(call, parts, bound);
      const since = parts.clock.now();
      const ending = await forward(call, parts, Buffer.from(text));
      const ms = Math.round(parts.clock.now() - since);
      await settle(ending, open, call, parts, (settled) => {
        note(settled.facts);
        admitted.run.onCall?.({ model, ms, ...settled.call });
      });
    });
  } finally {
    admitted.tally.end();
  }
}

function refuseOtherModel({ model }: Body, { run }: AdmittedRun): void {
  if (model === run.model.model) return;
  throw new Refusal(404, 'MODEL_NOT_ALLOWED', `this run may call ${run.model.model} only`);
}

function serialised(body: Body): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new Refusal(400, 'JSON_TOO_DEEP', 'the body is nested too deeply');
  }
}

async function reserve(
  { admitted, signal }: Call,
  { meter }: CallParts,
  bound: ReturnType<typeof boundOfPrompt>,
): Promise<OpenCall> {
  const { about, model } = admitted.run;
  try {
    return await meter.begin({ about, model, isSimulated: false, bound }, { ms: PATIENCE_MS, signal });
  } catch (error) {
    admitted.tally.notSent(error);
    if (error instanceof BudgetExceeded) throw new Refusal(STOP, error.code, error.message);
    if (error instanceof LeaseLost) throw new Refusal(STOP, 'LEASE_LOST', 'the project has another worker now');
    const words = error instanceof QualifiedError ? error.message : 'the ledger cannot be reached';
    throw new Refusal(503, errorCode(error), words);
  }
}

/** Sends and passes on; what the client gets where that fails is an error in the provider's own form. */
async function forward(call: Call, parts: CallParts, body: Buffer | null): Promise<Ending> {
  const { request, response, admitted, route, search, signal } = call;
  const { upstream, wire, run } = admitted;
  const url = new URL(`${upstream.baseUrl.replace(/\/+$/, '')}${route.upstreamPath}${search}`);
  const ending = await exchange({
    wire,
    url,
    method: request.method ?? 'POST',
    headers: headersToProvider(request.headers, wire.authorise(upstream.apiKey)),
    body,
    secret: upstream.apiKey,
    agent: url.protocol === 'https:' ? parts.agents.https : parts.agents.http,
    limits: parts.limits,
    signal,
    response,
    onSign: () => run.onSign?.(),
  });
  if (ending.kind === 'error') {
    response.writeHead(ending.status, headersToClient(ending.headers, upstream.apiKey)).end(ending.text);
  } else if (ending.kind === 'unreachable') {
    parts.onError(ending.cause);
    sendError(response, wire, new Refusal(502, 'MODEL_UNREACHABLE', 'the provider cannot be reached'));
  } else if (ending.kind === 'cut' && ending.reading === null) {
    const isSlow = ending.code === 'MODEL_TIMED_OUT';
    sendError(response, wire, new Refusal(isSlow ? 504 : 502, ending.code, 'the provider did not answer'));
  }
  return ending;
}

async function settle(
  ending: Ending,
  open: OpenCall,
  call: Call,
  parts: CallParts,
  tell: (settled: Settled) => void,
): Promise<void> {
  const { tally } = call.admitted;
  const reading = ending.kind === 'answered' || ending.kind === 'cut' ? (ending.reading ?? newReading()) : newReading();
  const outcome = outcomeOf(ending);
  const words = parts.secrets.redact(wordsOf(ending)).slice(0, 2_000);
  if (ending.kind === 'error') {
    const isWaitedFor = WAITED_FOR.has(ending.status);
    tally.failed(ending.status, words, isWaitedFor ? resetTime(ending.headers, Date.now()) : null);
  } else if (reading.failure) {
    const isWaitedFor = OVERLOADED.test(reading.failure.type);
    tally.failed(isWaitedFor ? 529 : 500, words, isWaitedFor ? resetTime({}, Date.now()) : null);
  } else if (ending.kind === 'unreachable') tally.failed(502, words, null);
  else if (outcome.errorCode === null) tally.answered();
  try {
    const cost = await open.settle(outcome);
    const usage = typeof outcome.billed === 'string' ? null : outcome.billed;
    const { errorCode, answeredBy } = outcome;
    tally.settled(usage, cost);
    tell({
      call: { usage, costNanoUsd: cost, errorCode },
      facts: {
        ...usage,
        answeredBy,
        errorCode,
        answerId: reading.answerId,
        costUsd: cost === null ? null : Number(cost) / 1e9,
      },
    });
  } catch (error) {
    // The answer has been passed on already. The ledger counts what was never settled with its whole reservation.
    tally.settled(null, null);
    parts.onError(error);
  }
}

function outcomeOf(ending: Ending): CallOutcome {
  switch (ending.kind) {
    case 'answered': {
      const { usage, isWhole, answeredBy, failure } = ending.reading;
      if (failure) return { billed: 'unknown', errorCode: 'MODEL_CUT', answeredBy };
      if (!isWhole || usage === null) return { billed: 'unknown', errorCode: 'MODEL_USAGE_UNKNOWN', answeredBy };
      return { billed: usage, errorCode: null, answeredBy };
    }
    case 'cut': {
      // Whoever went away after the last report lost nothing of the answer's price.
      const { usage = null, isWhole = false, answeredBy = null } = ending.reading ?? {};
      return { billed: isWhole && usage ? usage : 'unknown', errorCode: ending.code, answeredBy };
    }
    case 'error':
      return { billed: 'nothing', errorCode: `MODEL_ANSWERED_${String(ending.status)}`, answeredBy: null };
    case 'unreachable':
      return { billed: 'nothing', errorCode: 'MODEL_UNREACHABLE', answeredBy: null };
  }
}

function wordsOf(ending: Ending): string {
  if (ending.kind === 'error') return ending.text;
  if (ending.kind === 'unreachable') return errorMessage(ending.cause);
  return ending.reading?.failure?.words ?? '';
}

export function sendError(response: ServerResponse, wire: Wire, { status, code, message }: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(wire.errorBody(status, code, message));
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': String(status >= 500) });
  response.end(text);
}
