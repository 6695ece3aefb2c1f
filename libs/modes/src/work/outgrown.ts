import type { Finding, HealProblem } from '#contracts';
import type { ActivityContext, Guards } from '#engine';
import type { Json } from '#kernel';
import { domainsOf, findingsOf, listed, problemsOf } from '../coding/coding-context.js';
import { contextOf } from '../coding/context.js';
import { codingGuards, hasTask, isWithoutSetup } from '../coding/guards.js';
import { begunAttempts, withCutShort } from '../coding/heal-problem.js';
import { isEscalated } from './work-context.js';

type Context = Readonly<Record<string, Json>>;

/** More than these are too much for a small team. */
export const MOST_DOMAINS = 3;
const MOST_HEALS = 3;

const attemptsAt = (problems: readonly Pick<HealProblem, 'attempts'>[]): number =>
  problems.reduce((sum, { attempts }) => sum + attempts.length, 0);

const isOpenP0 = ({ priority, outcome }: Pick<Finding, 'priority' | 'outcome'>): boolean =>
  priority === 'P0' && outcome.kind === 'open';

/** Why a small team is not enough any more, in words for people; empty where it is. */
export function reasonsToEscalate(scene: { readonly context: Context }): readonly string[] {
  const domains = domainsOf(scene);
  const urgent = findingsOf(scene).filter(isOpenP0);
  const attempts = attemptsAt(problemsOf(scene));
  return [
    ...(domains.length > MOST_DOMAINS ? [`it touches ${String(domains.length)} domains: ${domains.join(', ')}`] : []),
    ...urgent.map(({ title, file }) => `a P0 was found: ${title}${file === null ? '' : ` (${file})`}`),
    ...(attempts >= MOST_HEALS ? [`${String(attempts)} heal attempts were made`] : []),
  ];
}

/** Those that a person has read at a block, and gone on with what is done in spite of. */
export const waivedReasonsOf = ({ context }: { readonly context: Context }): readonly string[] =>
  (context['waivedReasons'] as readonly string[] | undefined) ?? [];

export const openReasons = (scene: { readonly context: Context }): readonly string[] =>
  reasonsToEscalate(scene).filter((reason) => !waivedReasonsOf(scene).includes(reason));

/** The same before it happens, for whoever approves the plan. */
export const ESCALATION_CRITERIA: readonly string[] = [
  `it touches more than ${String(MOST_DOMAINS)} domains`,
  'an agent or the check of a step finds a P0',
  `${String(MOST_HEALS)} heal attempts were made in total`,
  'a person sends ESCALATE',
];

/** The attempt at hand is over where a person skips it or wants the next: it counts, though it has reported nothing. */
export const withAttemptAtHand = (
  { context }: { readonly context: Context },
  counters: ActivityContext['counters'],
  isSkip = false,
): readonly HealProblem[] =>
  problemsOf({ context }).map((one) =>
    one.id === context['problem'] ? withCutShort(one, begunAttempts(counters, one), isSkip) : one,
  );

const isDone = (context: Context): boolean =>
  hasTask(context, 'completed') && context['isAccepted'] !== true && !isWithoutSetup(context);

/** Those of coding mode; where a small team is at work, it has no reviews and no acceptance to come to. */
export const workGuards: Guards = {
  ...codingGuards,
  'is-escalated': (context) => isEscalated({ context }),
  'is-small-team': (context) => !isEscalated({ context }),
  // A plan of which nothing is left to do is judged as it was scoped.
  'needs-scoping': (context) =>
    !isEscalated({ context }) && !contextOf({ context }).requestPlan && hasTask(context, 'pending', 'in_progress'),
  'outgrew-work-mode': (context) => !isEscalated({ context }) && openReasons({ context }).length > 0,
  'outgrew-with-this-attempt': (context, _data, counters) => {
    const problems = listed(withAttemptAtHand({ context }, counters));
    return !isEscalated({ context }) && openReasons({ context: { ...context, problems } }).length > 0;
  },
  'reviews-remain': (context) => isEscalated({ context }) && context['isReviewed'] !== true && !isWithoutSetup(context),
  // What was done without acceptance is proven in EXECUTING, which completes it.
  'more-work-remains': (context, ...rest) =>
    codingGuards['more-work-remains']?.(context, ...rest) === true || (!isEscalated({ context }) && isDone(context)),
  'work-awaits-acceptance': (context) => isEscalated({ context }) && isDone(context),
  'small-team-has-done-something': (context) => !isEscalated({ context }) && isDone(context),
};
