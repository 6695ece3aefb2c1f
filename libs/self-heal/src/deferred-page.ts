import type { HealAttempt, HealProblem } from '#contracts';
import { plainLines } from '#kernel';
import { oneLine } from './one-line.js';

/** Something that was put off: a problem that no attempt fixed, a finding, a scenario. */
export interface Deferred {
  readonly title: string;
  /** Why it was put off. */
  readonly reason: string;
  readonly attempts?: readonly Pick<HealAttempt, 'number' | 'tier' | 'model' | 'outcome' | 'tried' | 'why'>[];
  readonly lastError?: string | null;
  readonly options?: readonly DeferredOption[];
  readonly recommendation?: string;
  readonly owner?: string;
}

export interface DeferredOption {
  readonly what: string;
  readonly effort: 'small' | 'medium' | 'large' | 'unknown';
}

const MOST_ITEMS = 999;
const LONGEST_TEXT = 1_000;
const LONGEST_ERROR = 4_000;
const NO_OWNER = 'none yet';

/** The options for a problem that no attempt fixed. The effort of a fix by hand is not known. */
export function deferredFrom(problem: HealProblem): Deferred {
  const { title, reason, attempts, error } = problem;
  return {
    title,
    reason: reason ?? 'It was put off.',
    attempts,
    lastError: attempts.findLast(({ output }) => output !== '')?.output ?? error,
    options: [
      { what: 'start a new request that says what to do differently', effort: 'small' },
      { what: 'fix it by hand; the attempts above show what does not work', effort: 'unknown' },
    ],
    recommendation: 'Read why the last attempt failed before you pay for another one.',
  };
}

type Advice = Required<Pick<Deferred, 'options' | 'recommendation'>>;

const BY_HAND: DeferredOption = { what: 'do it by hand', effort: 'unknown' };
const ANEW: DeferredOption = { what: 'start a new request for it', effort: 'small' };

/** By what stood in the way, as far as one can know without having looked. */
const ADVICE: Readonly<Record<string, Advice>> = {
  budget: {
    options: [{ what: 'start a new request for it with a larger budget', effort: 'small' }, BY_HAND],
    recommendation: 'Look at what the budget was spent on before you raise it: see "What it cost" in SUMMARY.md.',
  },
  setup: {
    options: [
      { what: 'fix the set-up, or give other set-up commands, and start the request again', effort: 'small' },
      BY_HAND,
    ],
    recommendation: 'Run the set-up commands by hand in a fresh clone. Every later request needs them.',
  },
  unproven: {
    options: [{ what: 'add tests for what was done, and start a new request for the rest', effort: 'medium' }, ANEW],
    recommendation: 'Look at the branch, and at what is not proven: the change may be right without a proof.',
  },
  unchanged: {
    options: [{ what: 'check whether the point is right, and close it if it is not', effort: 'small' }, ANEW, BY_HAND],
    recommendation: 'Read why nothing was changed for it.',
  },
};

const ANY: Advice = { options: [ANEW, BY_HAND], recommendation: 'Decide whether it is still wanted.' };

/** Something that was put off and is no problem of which attempts are known. */
export function deferredFor(item: {
  readonly title: string;
  readonly cause: string;
  readonly reason: string;
  readonly error?: string;
}): Deferred {
  const { title, cause, reason, error = null } = item;
  return { title, reason, lastError: error, ...(Object.hasOwn(ADVICE, cause) ? ADVICE[cause] : ANY) };
}

/** DEFERRED.md, with a note at its head. Texts from outside are of one line with no markup in them, or indented: none becomes a heading. */
export function deferredPage(items: readonly Deferred[], note: string | null = null): string {
  const shown = items.slice(0, MOST_ITEMS).map((item, nth) => section(item, nth + 1));
  const rest = items.length - shown.length;
  const more = rest > 0 ? [`And ${String(rest)} more.`] : [];
  const head = ['# Deferred', ...(note === null ? [] : [note])];
  return `${[...head, ...(items.length === 0 ? ['Nothing was put off.'] : shown), ...more].join('\n\n')}\n`;
}

function section(item: Deferred, number: number): string {
  const { attempts = [], lastError, options = [] } = item;
  return [
    `## DEFER-${String(number).padStart(3, '0')}: ${inline(item.title)}`,
    `Problem: ${inline(item.reason)}`,
    ...(attempts.length === 0 ? [] : ['### Attempts', attempts.map(attemptLine).join('\n')]),
    ...(lastError ? ['### Last error', indented(lastError)] : []),
    '### Options',
    options.length === 0
      ? 'None.'
      : options.map(({ what, effort }) => `- ${inline(what)} (effort: ${effort})`).join('\n'),
    '### Recommendation',
    `To do: ${inline(item.recommendation ?? 'decide whether it is still wanted')}`,
    `Owner: ${inline(item.owner ?? NO_OWNER)}`,
  ].join('\n\n');
}

function attemptLine({ number, tier, model, outcome, tried, why }: NonNullable<Deferred['attempts']>[number]): string {
  const failed = why === null ? outcome : `${outcome}: ${inline(why)}`;
  const said = tried.trim() === '' ? 'it did not say what it changed' : inline(tried);
  return `- attempt ${String(number)}, ${inline(model ?? `a ${tier} model`)}: ${said} — ${failed}`;
}

const inline = (text: string): string => oneLine(text, LONGEST_TEXT).replace(/[\\`*[\]<]/g, '\\$&');

/** After a heading, so that it is a block of its own and no part of a list. */
const indented = (text: string): string =>
  plainLines(text, LONGEST_ERROR)
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
