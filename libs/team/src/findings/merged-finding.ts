import type { Finding, Priority } from '#contracts';
import { LONGEST } from '../bounds.js';
import { cleanLine, cut } from '../clean-text.js';
import { contentWords, likeness } from '../words.js';
import type { Point, Voice } from './points.js';
import { compare, strongestRelation } from './raw-finding.js';

/** Remarks of others that are added to a body, and how long each may be. */
const MOST_REMARKS = 6;
/** Voices that are asked for a remark: a point may have thousands. */
const MOST_ASKED = 30;
const LONGEST_REMARK = 300;
/** From here on a remark says nothing new. */
const SAME_WORDS = 0.8;

/** A point as a finding, still without its number. */
export function findingOf({ voices, file, line }: Point): Finding {
  const [first] = voices as [Voice, ...Voice[]];
  const sureness = new Map<string, number>();
  for (const { agent, confidence } of voices) sureness.set(agent, Math.max(confidence, sureness.get(agent) ?? 0));
  return {
    id: '',
    priority: voices.reduce<Priority>((top, { priority }) => (priority < top ? priority : top), 'P2'),
    relation: strongestRelation(voices),
    title: first.title,
    body: bodyOf(first, voices),
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

/** The first voice's own words, and what others add to them: these are never what is cut off. */
function bodyOf(first: Voice, voices: readonly Voice[]): string {
  const said = [contentWords(`${first.title} ${first.body}`)];
  const lines = new Set([first.line, null]);
  const remarks: string[] = [];
  for (const voice of voices.slice(1, 1 + MOST_ASKED)) {
    const { agent, line } = voice;
    const words = contentWords(`${voice.title} ${voice.body}`);
    const isNew = said.every((others) => likeness(words, others) < SAME_WORDS);
    // Another line is news, whatever else is said.
    if ((!isNew && lines.has(line)) || remarks.length === MOST_REMARKS) continue;
    const where = lines.has(line) ? '' : `, line ${String(line)}`;
    said.push(words);
    lines.add(line);
    remarks.push(`${cleanLine(agent, 100)}${where}: ${remarkOf(voice, first)}`);
  }
  const room = LONGEST.body - remarks.reduce((sum, remark) => sum + remark.length + 2, 0);
  return [cut(first.body, room), ...remarks].filter((part) => part !== '').join('\n\n');
}

function remarkOf({ title, body }: Voice, first: Voice): string {
  const isSameTitle = likeness(contentWords(title), contentWords(first.title)) === 1;
  return cleanLine(body === '' ? title : isSameTitle ? body : `${title}: ${body}`, LONGEST_REMARK);
}
