import type { HealAttempt, HealProblem } from '#contracts';
import { oneLine, plainLines } from './plain-lines.js';

/** Something that was put off: a problem that no attempt mended, a finding, a scenario. */
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
const NOBODY = 'nobody yet';

/** What may be done about a problem that healing gave up on; how long it takes nobody knows who has not looked. */
export function deferredFrom(problem: HealProblem): Deferred {
  const { title, reason, attempts, error } = problem;
  return {
    title,
    reason: reason ?? 'put off',
    attempts,
    lastError: attempts.findLast(({ output }) => output !== '')?.output ?? error,
    options: [
      { what: 'say what to do differently, and start a request of its own for it', effort: 'small' },
      { what: 'mend it by hand, with the attempts above as a beginning', effort: 'unknown' },
    ],
    recommendation: 'Read why the last attempt failed before another one is paid for.',
  };
}

/** DEFERRED.md. Texts from outside are of one line with no markup in them, or indented: none becomes a heading. */
export function deferredPage(items: readonly Deferred[]): string {
  const shown = items.slice(0, MOST_ITEMS).map((item, nth) => section(item, nth + 1));
  const rest = items.length - shown.length;
  const more = rest > 0 ? [`And ${String(rest)} more.`] : [];
  return `${['# Deferred', ...(items.length === 0 ? ['Nothing was put off.'] : shown), ...more].join('\n\n')}\n`;
}

function section(item: Deferred, number: number): string {
  const { attempts = [], lastError, options = [] } = item;
  return [
    `## DEFER-${String(number).padStart(3, '0')}: ${inline(item.title)}`,
    `Problem: ${inline(item.reason)}`,
    '### Attempts',
    attempts.length === 0 ? 'None.' : attempts.map(attemptLine).join('\n'),
    '### Last error',
    lastError ? indented(lastError) : 'None.',
    '### Options',
    options.length === 0
      ? 'None was worked out.'
      : options.map(({ what, effort }) => `- ${inline(what)} (effort: ${effort})`).join('\n'),
    '### Recommendation',
    `To do: ${inline(item.recommendation ?? 'decide whether it is wanted at all')}`,
    `Owner: ${inline(item.owner ?? NOBODY)}`,
  ].join('\n\n');
}

function attemptLine({ number, tier, model, outcome, tried, why }: NonNullable<Deferred['attempts']>[number]): string {
  const failed = why === null ? outcome : `${outcome}: ${inline(why)}`;
  return `- attempt ${String(number)}, ${inline(model ?? `a ${tier} model`)}: ${inline(tried)} — ${failed}`;
}

const inline = (text: string): string => oneLine(text, LONGEST_TEXT).replace(/[\\`*[\]<]/g, '\\$&');

/** After a heading, so that it is a block of its own and no part of a list. */
const indented = (text: string): string =>
  plainLines(text, LONGEST_ERROR)
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
