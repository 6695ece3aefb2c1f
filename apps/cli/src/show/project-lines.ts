import type { Project } from '#contracts';
import { amount } from './event-line.js';
import { green, red, yellow } from './style.js';

export function statusWord(status: Project['status']): string {
  switch (status) {
    case 'running':
    case 'completed':
      return green(status);
    case 'waiting':
    case 'paused':
    case 'blocked':
      return yellow(status);
    case 'aborted':
    case 'failed':
      return red(status);
  }
}

/** Tokens always move; of money only what somebody has to pay is told. */
export function spentOf({ budget, simulated }: Pick<Project, 'budget' | 'simulated'>): string {
  if (!budget) return '';
  const { usd, tokens } = budget;
  const paid = simulated ? 'simulated: nothing is paid' : `${usd.used} of ${usd.cap ?? 'any'} USD`;
  const cap = tokens.cap === null ? '' : ` of ${amount(tokens.cap)}`;
  return `${amount(tokens.used)}${cap} tokens so far${tokens.used === 0 ? '' : `, ${paid}`}`;
}

/** What it cost in the end. */
export function costOf({ budget, simulated }: Project): string {
  if (!budget) return 'nobody knows';
  const tokens = `${amount(budget.tokens.used)} tokens`;
  return simulated
    ? `${tokens} of a simulated model: counted, and nothing is paid`
    : `${budget.usd.used} of ${budget.usd.cap ?? 'any'} USD, ${tokens}`;
}

/** Why nothing happens now, in a few words. */
export function waitWords({ waitingFor }: Project): string {
  if (!waitingFor) return '';
  const { kind, gate, ask, until, message } = waitingFor as Readonly<Record<string, unknown>>;
  const more = [gate, ask, until, message].filter((one): one is string => typeof one === 'string');
  return [String(kind), ...more].join(': ');
}
