import type { CommandResult } from '#process-monitor';
import type { AgentTask } from '../agent.port.js';
import type { ProxyTally } from '../proxy/index.js';
import type { CliEnd } from './cli-spec.js';

/** Why we ended a run ourselves. */
export type Ended = 'idle' | 'rate-limit' | 'no-more-calls';

/** All that is known of a run that is over. */
export interface RunFacts {
  readonly result: Pick<CommandResult, 'exitCode' | 'endedBy'>;
  readonly endedFor: Ended | null;
  readonly end: CliEnd | null;
  readonly tally: ProxyTally;
  /** The last that it said on its standard error. */
  readonly complaint: string;
  /** Git's files of the repository that changed meanwhile. */
  readonly touchedGit: readonly string[];
}

export type Verdict =
  | { readonly kind: 'good'; readonly end: CliEnd }
  | { readonly kind: 'waits'; readonly resetAt: number; readonly words: string }
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

type Limits = AgentTask['limits'] & { readonly idleMs: number };

const failed = (code: string, message: string): Verdict => ({ kind: 'failed', code, message });

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
  if (tally.rateLimit) return { kind: 'waits', ...tally.rateLimit };
  return stopped(facts, limits) ?? endedBadly(facts);
}

function stopped({ result, endedFor, tally }: RunFacts, { wallMs, idleMs, turns }: Limits): Verdict | null {
  if (tally.isOutOfCalls) return failed('AGENT_TURNS_EXHAUSTED', `max turns reached: ${String(turns)}`);
  if (endedFor === 'idle') return failed('AGENT_IDLE', `it showed no sign of life for ${String(idleMs)} ms`);
  switch (result.endedBy) {
    case 'time-out':
      return failed('AGENT_TIMED_OUT', `not done within ${String(wallMs)} ms of work`);
    case 'output':
      return failed('AGENT_TOO_MUCH_OUTPUT', 'it printed more than it may');
    case 'memory':
      return failed('AGENT_TOO_MUCH_MEMORY', 'it took more memory than it may');
    case 'processes':
      return failed('AGENT_TOO_MANY_PROCESSES', 'it started more processes than it may');
    case 'itself':
    case 'interruption':
      return null;
  }
}

function endedBadly({ result, end, tally, complaint }: RunFacts): Verdict {
  const { exitCode } = result;
  const words = [end && !end.isGood ? end.text : '', complaint].find((text) => text !== '') ?? '';
  if (tally.lastError) {
    const { status, words: said } = tally.lastError;
    return failed('MODEL_FAILED', `the provider answered ${String(status)}: ${said}`);
  }
  if (end && !end.isGood) return failed('AGENT_FAILED', words);
  if (exitCode === null || exitCode > 128) return failed('AGENT_KILLED', `a signal ended it. ${complaint}`.trim());
  if (exitCode !== 0) return failed('AGENT_FAILED', `it ended with ${String(exitCode)}. ${words}`.trim());
  return failed('AGENT_SILENT', `it ended without a word about its work. ${complaint}`.trim());
}
