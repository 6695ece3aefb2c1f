import type { AgentLimits } from '../agent.port.js';

/** A task is warned when this share of its turns or of its time is used. */
const WARN_AT = 0.8;

export interface LimitsUsed {
  readonly turns: number;
  readonly ms: number;
}

/**
 * The warning for an agent that has little left of its turns or of its time; null while it has enough. The context
 * window needs no warning here: at the same share the conversation is summarised and continues in a fresh one.
 */
export function limitWarning(used: LimitsUsed, limits: Pick<AgentLimits, 'turns' | 'wallMs'>): string | null {
  const turnsLeft = limits.turns - used.turns;
  const msLeft = limits.wallMs - used.ms;
  if (turnsLeft < 1 || msLeft <= 0) return null;
  // Rounded down: a task of three turns is warned before its last one.
  const isShortOfTurns = used.turns > 0 && used.turns >= Math.floor(limits.turns * WARN_AT);
  const isShortOfTime = used.ms >= limits.wallMs * WARN_AT;
  if (!isShortOfTurns && !isShortOfTime) return null;
  return [
    `Message from the service that runs you: your limits are nearly reached. You have ${count(turnsLeft, 'turn')} of ${String(limits.turns)} and ${secondsOf(msLeft)} of ${secondsOf(limits.wallMs)} left.`,
    'Finish now: leave the files in a working state and give your final answer.',
    'If you cannot finish, write down what is done, what is left and what did not work. A fresh conversation can continue from the files and from what you write.',
  ].join('\n');
}

const count = (number: number, word: string): string => `${String(number)} ${word}${number === 1 ? '' : 's'}`;

const secondsOf = (ms: number): string => count(Math.max(1, Math.round(ms / 1_000)), 'second');
