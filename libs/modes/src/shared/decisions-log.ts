import type { JsonObject } from '#kernel';
import type { ToldEvent } from '../history.js';

/** What people, and services in their name, decided about a project: at its gates, by commands, about its money. */
export const DECISIONS = ['gate.decided', 'command.received', 'budget.changed', 'checkpoint.restored'] as const;

/** decisions.log: one line per decision, time first. Empty where nobody decided anything. */
export const decisionsLog = (events: readonly ToldEvent[]): string =>
  events
    .map(({ at, type, data }) => {
      const words = wordsOf(type, data);
      return words === null ? '' : `${at.toISOString()} ${oneLine(words)}\n`;
    })
    .join('');

function wordsOf(type: string, data: JsonObject): string | null {
  const who = `a ${textOf(data['by']) || 'human'}`;
  switch (type) {
    case 'gate.decided': {
      const feedback = textOf(data['feedback']);
      return `${who} decided ${textOf(data['decision'])} at ${textOf(data['gate'])}${feedback === '' ? '' : `: ${feedback}`}`;
    }
    case 'command.received':
      // Asking how it stands decides nothing.
      return data['command'] === 'STATUS' ? null : `${who} commanded ${textOf(data['command'])}`;
    case 'budget.changed':
      return `${who} set the budget to ${capsOf(data['to'])}`;
    case 'checkpoint.restored':
      return `brought back to checkpoint ${textOf(data['to'])} (${textOf(data['rule'])})`;
    default:
      return null;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function capsOf(caps: unknown): string {
  const { usd, tokens } = (caps ?? {}) as { readonly usd?: unknown; readonly tokens?: unknown };
  return `${textOf(usd) || 'no cap in'} USD, ${textOf(tokens) || 'no cap in'} tokens`;
}

/** What a person writes may hold line breaks; a decision is one line. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
