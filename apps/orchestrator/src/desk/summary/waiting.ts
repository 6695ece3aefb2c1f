import type { ProjectSummary, WaitingFor } from '#contracts';
import { cutToTokens, tokensAtMost } from '#models';
import { cleanLine } from '#team';
import type { Seen } from './seen.js';

type Waiting = NonNullable<ProjectSummary['waitingFor']>;

/** Room for somebody else's words; what comes from us is short by itself. */
const ROOM = { ask: 90, why: 90, option: 8 };
const MOST_OPTIONS = 8;

/** One line of somebody else's words that takes so many tokens at most, also where each of its marks is escaped. */
export function words(text: unknown, tokens: number): string {
  const line = cutToTokens(cleanLine(typeof text === 'string' ? text : '', 8 * tokens), tokens);
  return tokensAtMost(JSON.stringify(line)) <= tokens + 2 ? line : cutToTokens(line, Math.floor(tokens / 2));
}

/** Who or what is waited for, and the call that answers it; null where it goes on by itself, or has ended. */
export function waitingOf({ project, gate, decided }: Pick<Seen, 'project' | 'gate' | 'decided'>): Waiting | null {
  const { id, status, waitingFor: wait } = project;
  const at = `/v1/projects/${id}`;
  const nothing = { why: null, options: [], answer: null, until: null };
  if (['completed', 'aborted', 'failed'].includes(status)) return null;
  if (gate) {
    const options = gate.options.slice(0, MOST_OPTIONS).map((option) => words(option, ROOM.option));
    const why = gate.why === null ? null : words(gate.why, ROOM.why);
    return {
      who: 'person',
      ask: words(gate.ask, ROOM.ask),
      why,
      options,
      answer: gate.answer,
      until: gate.default?.at ?? untilOf(wait),
    };
  }
  if (wait?.kind === 'pausing') {
    return { ...nothing, who: 'step', ask: 'It pauses: the step at hand comes to its next safe point first.' };
  }
  if (status === 'paused') {
    const where = wait?.kind === 'gate' ? `, at the gate ${words(wait['gate'], ROOM.option)}` : '';
    const stored = decided ? ` ${words(decided.decision, ROOM.option)} is stored there, and taken up with RESUME.` : '';
    return { ...nothing, who: 'person', ask: `It is paused${where}.${stored}`, options: ['RESUME', 'ABORT'], answer: `POST ${at}/commands {"command": "RESUME"}` }; // prettier-ignore
  }
  if (wait === null || decided) return null;
  switch (wait.kind) {
    case 'children':
      return { ...nothing, ...childrenOf(wait) };
    case 'machine':
      return { ...nothing, who: 'service', ask: words(wait['reason'], ROOM.ask) };
    default: {
      const said = words(wait['words'] ?? wait['reason'], ROOM.ask);
      return { ...nothing, who: 'time', ask: said === '' ? wait.kind : said, until: untilOf(wait) };
    }
  }
}

interface ChildWait {
  readonly key?: unknown;
  readonly id?: unknown;
  readonly status?: unknown;
}

/** A child may wait for a person: nobody else can answer for it. */
function childrenOf(wait: WaitingFor): Pick<Waiting, 'who' | 'ask' | 'answer'> {
  const children = Array.isArray(wait['children']) ? (wait['children'] as readonly ChildWait[]) : [];
  const asking = children.find(({ status }) => status === 'waiting' || status === 'blocked');
  if (asking && typeof asking.id === 'string') {
    const ask = `Its part ${words(asking.key, 30)} waits for a person.`;
    return { who: 'person', ask, answer: `GET /v1/projects/${words(asking.id, 40)}/gates says how to answer it` };
  }
  const ended = children.filter(({ status }) => ['completed', 'aborted', 'failed'].includes(String(status)));
  const ask = `For its parts: ${String(ended.length)} of ${String(children.length)} have ended.`;
  return { who: 'children', ask, answer: null };
}

const untilOf = (wait: WaitingFor | null): string | null => {
  const until = wait?.['until'];
  // `Date` takes a mere number for a year, far behind those that can be written.
  const isTime = typeof until === 'string' && /^\d{4}-\d\d-\d\dT/.test(until) && !Number.isNaN(Date.parse(until));
  return isTime ? new Date(until).toISOString() : null;
};
