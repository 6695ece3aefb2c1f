import type { ServerResponse } from 'node:http';
import { LeaseLost } from '#engine';
import { errorCode, QualifiedError, type SpanFacts } from '#kernel';
import { BudgetExceeded, type OpenCall } from '#models';
import { addNotes } from './add-notes.js';
import type { AdmittedRun } from './admitted-run.js';
import type { Call, CallParts } from './call.js';
import { type Ending, type Exchange, exchange } from './exchange.js';
import { headersToClient, headersToProvider } from './headers.js';
import { type BoundPrompt, boundOfPrompt } from './prompt-bound.js';
import { readBody } from './read-body.js';
import { redactBody } from './redact-body.js';
import { Refusal, STOP } from './refusal.js';
import { settleCall } from './settle-call.js';
import type { Body, Wire } from './wire.js';

/** How long a call waits for others on the same budget to be settled; CLIs give up on a silent server later. */
const PATIENCE_MS = 120_000;
/** Of the name that a span has from it. */
const LONGEST_PATH = 100;

/** One call of a run: shaped, reserved, sent, passed on, settled. Throws Refusal for what is not sent. */
export async function answerCall(call: Call, parts: CallParts): Promise<void> {
  const { request, admitted, route } = call;
  if (request.method === 'GET') return askFreely(call, parts, null);
  const { requestBytes: maxBytes, bodyMs: ms } = parts.limits;
  const body = await readBody(request, {
    maxBytes,
    ms,
    turns: admitted.turns,
    room: parts.bodies,
    signal: call.signal,
  });
  const most = admitted.wire.shape(body, route, { maxOutputTokens: admitted.run.maxOutputTokens });
  refuseOtherModel(body, admitted);
  const notes = await addNotes(body, call);
  redactBody(body, parts.secrets);
  // Sent as it was understood here: a key that stands there twice may not mean one thing here and another upstream.
  const text = serialised(body);
  const bytes = Buffer.from(text);
  const { model, about, maxCalls } = admitted.run;
  const limits = { wire: admitted.wire.name, outputTokens: most, contextTokens: parts.meter.contextOf(model) };
  // Refuses links, also where nothing is paid for: an address carries words out of the sandbox all the same.
  const prompt = boundOfPrompt(body, text, limits);
  if (route.kind === 'free') return askFreely(call, parts, bytes);
  if (!admitted.tally.begin(maxCalls)) {
    throw new Refusal(STOP, 'AGENT_TURNS_EXHAUSTED', `the run has made all of its ${String(maxCalls)} calls`);
  }
  try {
    const sending = exchangeOf(call, parts, bytes);
    const open = await reserve(call, parts, prompt);
    if (call.signal.aborted) throw await calledOff(open, admitted);
    const { agent, purpose, prompt: promptVersion, tier, effect } = about;
    const facts = { ...model, agent, purpose, prompt: promptVersion, tier, simulated: false, conversation: effect.key };
    // What was never sent is no call of a model: it begins with what is set aside for it.
    await parts.trace.within('chat', model.model, facts, async (note) => {
      const since = parts.clock.now();
      const ending = await exchange(sending);
      const ms = Math.round(parts.clock.now() - since);
      try {
        handBack(ending, call, parts);
      } finally {
        await settleCall(ending, open, call, parts, (end, settled) => {
          note(settled);
          if (end?.usage) admitted.prompts.learn(prompt.parts, end.usage);
          if (end) admitted.run.onCall?.({ model, ms, notes, ...end });
        });
      }
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

async function reserve({ admitted, signal }: Call, { meter }: CallParts, prompt: BoundPrompt): Promise<OpenCall> {
  const { about, model } = admitted.run;
  const uncachedTokens = admitted.prompts.uncachedOf(prompt.parts, prompt.likelyTokens);
  const bound = { ...prompt.bound, uncachedTokens };
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

/** Whoever asked went away while it was set aside: nothing was sent, and nothing is owed. */
async function calledOff(open: OpenCall, { tally }: AdmittedRun): Promise<Refusal> {
  const refusal = new Refusal(503, 'MODEL_CANCELLED', 'the call was called off before it was sent');
  tally.notSent(refusal);
  await open.settle({ billed: 'nothing', errorCode: refusal.code, answeredBy: null });
  return refusal;
}

/** What a provider answers for nothing: which models there are, how many tokens a prompt has. */
async function askFreely(call: Call, parts: CallParts, body: Buffer | null): Promise<void> {
  const { about, model } = call.admitted.run;
  const path = call.route.upstreamPath.slice(0, LONGEST_PATH);
  const facts = { ...model, agent: about.agent, purpose: about.purpose, conversation: about.effect.key };
  await parts.trace.within('inquiry', path, facts, async (note) => {
    const ending = await exchange(exchangeOf(call, parts, body));
    note(endOfInquiry(ending));
    handBack(ending, call, parts);
  });
}

function endOfInquiry(ending: Ending): SpanFacts {
  switch (ending.kind) {
    case 'answered':
      return { status: 'done', errorCode: null };
    case 'cut':
      return { status: 'cut', errorCode: ending.code };
    case 'error':
      return { status: 'failed', errorCode: `HTTP_${String(ending.status)}` };
    case 'unreachable':
      return { status: 'failed', errorCode: 'MODEL_UNREACHABLE' };
  }
}

function exchangeOf(
  { request, response, admitted, route, search, signal }: Call,
  parts: CallParts,
  body: Buffer | null,
): Exchange {
  const { upstream, wire, run } = admitted;
  const url = new URL(`${upstream.baseUrl.replace(/\/+$/, '')}${route.upstreamPath}${search}`);
  return {
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
  };
}

/** What the client gets where no answer could be passed on is an error in the provider's own form. */
function handBack(ending: Ending, { response, admitted }: Call, parts: CallParts): void {
  const { upstream, wire } = admitted;
  if (ending.kind === 'error') {
    response.writeHead(ending.status, headersToClient(ending.headers, upstream.apiKey)).end(ending.text);
  } else if (ending.kind === 'unreachable') {
    parts.onError(ending.cause);
    sendError(response, wire, new Refusal(502, 'MODEL_UNREACHABLE', 'the provider cannot be reached'));
  } else if (ending.kind === 'cut' && ending.reading === null) {
    const isSlow = ending.code === 'MODEL_TIMEOUT';
    sendError(response, wire, new Refusal(isSlow ? 504 : 502, ending.code, 'the provider did not answer'));
  }
}

export function sendError(response: ServerResponse, wire: Wire, { status, code, message }: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(wire.errorBody(status, code, message));
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': String(status >= 500) });
  response.end(text);
}
