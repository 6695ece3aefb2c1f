import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage, type SpanFacts } from '#kernel';
import {
  answeredOutcome,
  type CallOutcome,
  errorIn,
  type ErrorSaid,
  type ModelError,
  type OpenCall,
  refused,
  settledFacts,
} from '#models';
import type { Call, CallParts } from './call.js';
import type { Ending } from './exchange.js';
import type { CallEnd, CallFailure } from './proxy.port.js';
import type { RunTally } from './run-tally.js';

type Settled = Pick<CallEnd, 'usage' | 'costNanoUsd' | 'errorCode'>;

/** Enters into the ledger and into the run's tally what became of a call. Never rejects. */
export async function settleCall(
  ending: Ending,
  open: OpenCall,
  call: Call,
  parts: CallParts,
  tell: (end: Settled | null, facts: SpanFacts) => void,
): Promise<void> {
  const { tally, run } = call.admitted;
  const error = refusalIn(ending, run.model.provider, (text) => parts.secrets.redact(text));
  const outcome = outcomeOf(ending, error, open.pricedAs);
  const { errorCode } = outcome;
  const { billed } = outcome;
  // What is known in part is for the ledger: whoever adds up wants whole answers.
  const usage = typeof billed === 'string' || 'soFar' in billed ? null : billed;
  const answerId = 'reading' in ending ? (ending.reading?.answerId ?? null) : null;
  remember(ending, error, tally, parts);
  try {
    const cost = await open.settle(outcome);
    tally.settled(usage, cost);
    tell({ usage, costNanoUsd: cost, errorCode }, { ...settledFacts(outcome, cost), answerId });
  } catch (failure) {
    // The answer has been passed on already. The ledger counts what was never settled with its whole reservation.
    tally.settled(null, null);
    tell(null, { ...settledFacts(outcome, null), status: 'lost', answerId });
    parts.onError(failure);
  }
}

/** What the provider said instead of an answer, or in the middle of one: judged as a call of our own would be. */
function refusalIn(ending: Ending, provider: string, redact: (text: string) => string): ModelError | null {
  const nowMs = Date.now();
  const clean = (words: string): string => redact(words).slice(0, 2_000);
  if (ending.kind === 'error') {
    const { status, headers, text } = ending;
    const said = errorIn(parsed(text));
    const header = (name: string): string | null => single(headers, name);
    return refused({ ...said, provider, status, words: clean(said.words ?? text), header, nowMs, billed: null });
  }
  const said: ErrorSaid | null = 'reading' in ending ? (ending.reading?.failure ?? null) : null;
  if (!said) return null;
  const words = clean(said.words ?? 'an error in the middle of the answer');
  return refused({ ...said, provider, status: null, words, header: () => null, nowMs, billed: 'unknown' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of something on the way: its status says enough.
    return null;
  }
}

function single(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** What an error in the middle of an answer would have had for a status. */
const MIDWAY = { wait: 529, other: 500 };

/** A line that broke or fell silent by itself: nobody called the answer off. */
const BROKEN: ReadonlySet<string> = new Set(['MODEL_CUT_OFF', 'MODEL_TIMEOUT', 'MODEL_UNREACHABLE']);

/** What closed as if it were all, and was not: cut off on the way, or no answer of a model at all, such as a web page. */
const UNFINISHED: CallFailure = {
  status: 200,
  code: 'MODEL_CUT_OFF',
  remedy: 'retry',
  words: 'the answer ended too early, without its last event',
};

function remember(ending: Ending, error: ModelError | null, tally: RunTally, { secrets }: CallParts): void {
  if (error) {
    const isWaitedFor = error.remedy === 'wait';
    const status = ending.kind === 'error' ? ending.status : isWaitedFor ? MIDWAY.wait : MIDWAY.other;
    const { code, remedy, details } = error;
    const words = typeof details.words === 'string' ? details.words : error.message;
    tally.failed({ status, code, remedy, words }, isWaitedFor ? error.resetAt : null);
  } else if (ending.kind === 'unreachable') {
    const words = secrets.redact(errorMessage(ending.cause)).slice(0, 2_000);
    tally.failed({ status: 502, code: 'MODEL_UNREACHABLE', remedy: 'retry', words }, null);
  } else if (ending.kind === 'cut' && BROKEN.has(ending.code)) {
    const words = 'the provider fell silent, or the line to it broke';
    tally.failed({ status: 502, code: ending.code, remedy: 'retry', words }, null);
  } else if (ending.kind === 'answered') {
    const { isWhole, hasEnded } = ending.reading;
    if (isWhole || hasEnded) tally.answered();
    else tally.failed(UNFINISHED, null);
  }
}

function outcomeOf(ending: Ending, error: ModelError | null, pricedAs: string | null): CallOutcome {
  switch (ending.kind) {
    case 'answered':
    case 'cut': {
      // Whoever went away after the last report lost nothing of the answer's price.
      const { usage = null, isWhole = false, soFar = null, answeredBy = null } = ending.reading ?? {};
      const outcome = answeredOutcome({ usage: isWhole ? usage : soFar, answeredBy }, pricedAs);
      if (error) return { ...outcome, errorCode: error.code };
      return ending.kind === 'cut' ? { ...outcome, errorCode: ending.code } : outcome;
    }
    case 'error':
      return { billed: error?.billed ?? 'unknown', errorCode: error?.code ?? null, answeredBy: null };
    case 'unreachable':
      return { billed: 'nothing', errorCode: 'MODEL_UNREACHABLE', answeredBy: null };
  }
}
