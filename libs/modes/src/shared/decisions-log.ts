import type { JsonObject } from '#kernel';
import type { ToldEvent } from '../history.js';

/** What people, and services in their name, decided about a project: at its gates, by commands, about its money. */
export const DECISIONS = ['gate.decided', 'command.received', 'budget.changed', 'checkpoint.restored'] as const;

/** What the service itself decided: where the project went, and the report that it went there upon. */
export const MOVES = ['activity.reported', 'state.entered'] as const;

/** decisions.log: one line per decision, time first. Empty where nobody decided anything. */
export function decisionsLog(events: readonly ToldEvent[]): string {
  let reported: JsonObject = {};
  const lines = events.map(({ at, type, data }) => {
    if (type === 'activity.reported') reported = data;
    const words = type === 'state.entered' ? moveWords(data, reported) : wordsOf(type, data);
    return words === null ? '' : `${at.toISOString()} ${oneLine(words).slice(0, LONGEST_LINE)}\n`;
  });
  return lines.join('');
}

const LONGEST_LINE = 2_000;
const LONGEST_FACT = 300;
/** Of no use to people. */
const UNSAID = ['event', 'signature'];

function moveWords({ cause, from, to }: JsonObject, reported: JsonObject): string {
  const facts = Object.entries(reported['event'] === cause ? reported : {}).flatMap(([key, value]) => {
    const words = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
    return words === '' || UNSAID.includes(key) ? [] : [`${key} ${words.slice(0, LONGEST_FACT)}`];
  });
  const came = textOf(from) === '' ? `began in ${textOf(to)}` : `went from ${textOf(from)} to ${textOf(to)}`;
  const where = from === to ? `stayed in ${textOf(to)}` : came;
  return `the service ${where}: ${[textOf(cause), ...facts].join('; ')}`;
}

function wordsOf(type: string, data: JsonObject): string | null {
  const who = data['by'] === 'engine' ? 'the service' : `a ${textOf(data['by']) || 'human'}`;
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
      return `restored checkpoint ${textOf(data['to'])} (${textOf(data['rule'])})`;
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
