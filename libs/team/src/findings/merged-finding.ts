import type { Finding, Priority } from '#contracts';
import { LONGEST } from '../bounds.js';
import { cleanLine, cut } from '../clean-text.js';
import { contentWords, likeness } from '../words.js';
import type { Point, Voice } from './points.js';
import { compare } from './raw-finding.js';

/** Remarks of others that are added to a body, and how long each may be. */
const MOST_REMARKS = 6;
/** Voices that are asked for a remark: a point may have thousands. */
const MOST_ASKED = 30;
const LONGEST_REMARK = 300;
/** From here on a remark says nothing new. */
const SAME_WORDS = 0.8;

/** A point as a finding, still without its number. */
export function findingOf({ voices, file, line }: Point): Finding {
  const [surest] = voices as [Voice, ...Voice[]];
  const sureness = new Map<string, number>();
  for (const { agent, confidence } of voices) sureness.set(agent, Math.max(confidence, sureness.get(agent) ?? 0));
  return {
    id: '',
    priority: voices.reduce<Priority>((top, { priority }) => (priority < top ? priority : top), 'P2'),
    title: surest.title,
    body: bodyOf(surest, voices),
    file,
    line,
    confidence: together([...sureness.values()]),
    agents: [...sureness].sort(([a, one], [b, other]) => other - one || compare(a, b)).map(([agent]) => agent),
    outcome: { kind: 'open', commit: null, reason: null },
  };
}

/** As if each agent erred for itself: never less than the surest, never more than 1. */
function together(all: readonly number[]): number {
  const doubt = all.reduce((product, confidence) => product * (1 - confidence), 1);
  return Math.min(1, Math.max(...all, Math.round((1 - doubt) * 1_000) / 1_000));
}

function bodyOf(surest: Voice, voices: readonly Voice[]): string {
  const said = [contentWords(surest.body)];
  const lines = new Set([surest.line, null]);
  const remarks: string[] = [];
  for (const { agent, title, body, line } of voices.slice(1, 1 + MOST_ASKED)) {
    const words = contentWords(body);
    const isNew = words.size > 0 && said.every((others) => likeness(words, others) < SAME_WORDS);
    // Another line is news, whatever else is said.
    if ((!isNew && lines.has(line)) || remarks.length === MOST_REMARKS) continue;
    const where = lines.has(line) ? '' : `, line ${String(line)}`;
    said.push(words);
    lines.add(line);
    remarks.push(`${cleanLine(agent, 100)}${where}: ${cleanLine(body || title, LONGEST_REMARK)}`);
  }
  return cut([surest.body, ...remarks].filter((part) => part !== '').join('\n\n'), LONGEST.body);
}
