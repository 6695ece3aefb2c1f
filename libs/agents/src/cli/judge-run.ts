import { durationInWords } from '#kernel';
import { isForNextModel } from '#models';
import type { CommandResult } from '#process-monitor';
import type { AgentTask, WaitReason } from '../agent.port.js';
import type { CallFailure, ProxyTally, Wait } from '../proxy/index.js';
import type { CliEnd } from './cli-spec.js';

/** Why we ended a run ourselves. */
export type Ended =
  /** `pausing`: what it did stays, and another run goes on from there. */
  | { readonly why: 'idle' | 'no-more-calls' | 'pausing' }
  /** With the limit itself: a call that was under way may succeed yet, and void it in the tally. */
  | { readonly why: 'rate-limit'; readonly rateLimit: Wait }
  | { readonly why: 'failing'; readonly failure: CallFailure; readonly rateLimit: Wait | null };

/** All that is known of a run that is over. */
export interface RunFacts {
  readonly result: Pick<CommandResult, 'exitCode' | 'endedBy'>;
  readonly endedFor: Ended | null;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  readonly end: CliEnd | null;
  readonly tally: ProxyTally;
  /** The last that it said on its standard error. */
  readonly complaint: string;
  /** Git's files of the repository that changed meanwhile. */
  readonly touchedGit: readonly string[];
}

export type Verdict =
  | { readonly kind: 'good'; readonly end: CliEnd }
  | ({ readonly kind: 'waits'; readonly reason: WaitReason } & Wait)
  | { readonly kind: 'over-budget' }
  /** `isModels`: another model may do it. */
  | Failed;

type Failed = { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly isModels: boolean };

type Limits = AgentTask['limits'] & { readonly idleMs: number };

const failed = (code: string, message: string, isModels = false): Failed => ({
  ...{ kind: 'failed', code, message, isModels },
});

/** How a run ended. Its last event is believed before its exit, except that a bad exit voids a good end. */
export function judgeRun(facts: RunFacts, limits: Limits): Verdict {
  const { result, end, tally, touchedGit } = facts;
  if (touchedGit.length > 0) {
    return failed('AGENT_TOUCHED_GIT', `git's own files changed during the run: ${touchedGit.join(', ')}`);
  }
  if (end?.isGood && result.exitCode === 0 && result.endedBy === 'itself') {
    return tally.calls > 0
      ? { kind: 'good', end }
      : failed('AGENT_DID_NOTHING', 'it said that it was done and had not called its model once');
  }
  if (tally.overBudget) return { kind: 'over-budget' };
  const failure = failureOf(facts);
  const stop = stopped(facts, limits);
  const isInVain = stop !== null && failure !== null && IN_VAIN.has(stop.code);
  const wait = waitOf(facts);
  if (wait) {
    // What went on until it was stopped, long after it could have asked again, did not end for that wait.
    const isOver = stop !== null && wait.resetAt <= facts.endedAt;
    if (!isOver || (isInVain && failure.remedy === 'wait')) return { kind: 'waits', ...wait };
  }
  return stop && !isInVain ? stop : endedBadly(facts, failure);
}

/** One that asked in vain until its time or its turns were over ended for what it was answered last. */
const IN_VAIN: ReadonlySet<string> = new Set(['AGENT_TIMED_OUT', 'AGENT_TURNS_EXHAUSTED']);

/** What the provider answered last, where that was no answer. */
const failureOf = ({ endedFor, tally }: RunFacts): CallFailure | null =>
  endedFor?.why === 'failing' ? endedFor.failure : tally.lastError;

function waitOf({ endedFor, tally }: RunFacts): (Wait & { readonly reason: WaitReason }) | null {
  const rateLimit = endedFor && 'rateLimit' in endedFor ? endedFor.rateLimit : tally.rateLimit;
  if (rateLimit) return { reason: 'rate-limit', ...rateLimit };
  return tally.budgetBusy && { reason: 'budget-busy', ...tally.budgetBusy };
}

function stopped({ result, endedFor, tally }: RunFacts, { wallMs, idleMs, turns }: Limits): Failed | null {
  if (tally.isOutOfCalls) return failed('AGENT_TURNS_EXHAUSTED', `max turns reached: ${String(turns)}`);
  if (endedFor?.why === 'idle') return failed('AGENT_IDLE', `it showed no sign of life for ${durationInWords(idleMs)}`);
  switch (result.endedBy) {
    case 'time-out':
      return failed('AGENT_TIMED_OUT', `not done within ${durationInWords(wallMs)} of work`);
    case 'output':
      return failed('AGENT_TOO_MUCH_OUTPUT', 'it printed more than it may');
    case 'memory':
      return failed('AGENT_TOO_MUCH_MEMORY', 'it took more memory than it may');
    case 'processes':
      return failed('AGENT_TOO_MANY_PROCESSES', 'it started more processes than it may');
    case 'disk':
      return failed('AGENT_TOO_MUCH_DISK', 'it filled more of the disk than it may, or next to nothing was left of it');
    case 'itself':
    case 'interruption':
      return null;
  }
}

function endedBadly({ result, end, complaint }: RunFacts, failure: CallFailure | null): Verdict {
  const { exitCode } = result;
  const words = [end && !end.isGood ? end.text : '', complaint].find((text) => text !== '') ?? '';
  if (failure) {
    const { status, code, remedy, words: said } = failure;
    return failed(code, `the provider answered ${String(status)}: ${said}`, isForNextModel({ code, remedy }));
  }
  if (end && !end.isGood) return failed('AGENT_FAILED', words);
  if (exitCode === null || exitCode > 128) return failed('AGENT_KILLED', `a signal ended it. ${complaint}`.trim());
  if (exitCode !== 0) return failed('AGENT_FAILED', `it ended with ${String(exitCode)}. ${words}`.trim());
  return failed('AGENT_SILENT', `it ended without a word about its work. ${complaint}`.trim());
}
