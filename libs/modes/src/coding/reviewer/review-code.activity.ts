import type { AgentOutcome, AgentTask } from '#agents';
import { type Activity, type ActivityContext, type Report, report, waitFor } from '#engine';
import { assertNever, type JsonObject, UserError } from '#kernel';
import { healthOf, ReviewOutput, readReview, type Review as Read, UNTOLD } from '#team';
import { overBudget } from '../../shared/block.js';
import { nextTier } from '../../shared/next-try.js';
import { parts, renderLimits } from '../../shared/prompt.js';
import { asJson } from '../../shared/work-parts.js';
import { type CodingParts, LIMITS, REVIEW_SECONDS } from '../coding-context.js';
import { partialReview } from './partial-review.js';
import type { Review, ReviewBrief, Seat } from './review.js';
import { reviewPrompt } from './review.prompt.js';

type Parts = Pick<CodingParts, 'workshop' | 'runtimes'>;

const TIMED_OUT = ['AGENT_TIMED_OUT', 'AGENT_TURNS_EXHAUSTED', 'AGENT_IDLE'];

/**
 * One reviewer at its work. A second visit is its respawn, and knows what the first one had said. A third one is that of
 * a critical reviewer whose seat went to the next tier; after it, its partial output is used.
 */
export const reviewCode =
  ({ workshop, runtimes }: Parts): Activity =>
  async (activity) => {
    const brief = activity.context as unknown as ReviewBrief;
    const { place, order } = brief;
    const runtime = runtimes.get(order.runtime);
    if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${order.runtime}`);
    const host = { ...activity.project, id: place.projectId, name: place.name };
    const worktree = await workshop.enter(host, place, activity.signal);
    const outcome = await runtime.run(taskOf(activity, brief), { activity, worktree, startCommit: place.commit });
    return reported(outcome, activity, brief);
  };

const partialOf = ({ context }: ActivityContext): string => (context['partial'] as string | undefined) ?? '';

const reviewBefore = ({ context }: ActivityContext): Review | undefined =>
  context['result'] as unknown as Review | undefined;

function taskOf(activity: ActivityContext, brief: ReviewBrief): AgentTask {
  const { seat, order } = brief;
  const seconds = order.reviewSeconds ?? REVIEW_SECONDS[seat.tier];
  const limits = { ...LIMITS.review, wallMs: seconds * 1_000 };
  return {
    step: seat.agent,
    role: seat.agent,
    purpose: 'review',
    attempt: activity.visit,
    tier: seat.tier,
    ...(order.models && { models: order.models }),
    promptVersion: reviewPrompt.version,
    system: reviewPrompt.system,
    prompt: parts(
      reviewPrompt.render({
        ...brief,
        request: activity.project.request,
        refusal: reviewBefore(activity)?.why ?? '',
        partial: partialOf(activity),
      }),
      renderLimits(limits),
    ),
    access: 'read',
    mayRun: true,
    ...(seat.tools && { tools: seat.tools }),
    output: { name: 'review', type: ReviewOutput },
    limits,
  };
}

function reported(outcome: AgentOutcome, activity: ActivityContext, brief: ReviewBrief): Report {
  switch (outcome.kind) {
    case 'waits':
      return waitFor(outcome.ms, outcome.reason, outcome.words);
    case 'over-budget': {
      const why = overBudget(outcome.breaker);
      const review = lost(brief, { status: 'over-budget', why, isSimulated: outcome.isSimulated });
      return report('review:unaffordable', resultOf(review), { agent: brief.seat.agent });
    }
    case 'finished':
      return judged(activity, brief, { ...outcome, said: outcome.text, isPastTimeout: false, why: null });
    case 'failed': {
      const { said, text = said, isSimulated, code, message } = outcome;
      const isPastTimeout = TIMED_OUT.includes(code);
      // Its last message is worth reading where only the shape was wrong; one before it would be read twice.
      const why = code === 'AGENT_OUTPUT_INVALID' ? null : `${code}: ${message}`;
      return judged(activity, brief, { output: null, text, said, isSimulated, isPastTimeout, why });
    }
    default:
      return assertNever(outcome);
  }
}

interface HandedIn {
  readonly output: unknown;
  /** Its last message. */
  readonly text: string;
  /** That, and what it had said on the way. */
  readonly said: string;
  readonly isSimulated: boolean;
  readonly isPastTimeout: boolean;
  /** Why it did not come to its own end. */
  readonly why: string | null;
}

function judged(activity: ActivityContext, brief: ReviewBrief, given: HandedIn): Report {
  const { agent } = brief.seat;
  const text = given.output === null ? given.text : JSON.stringify(given.output);
  const bytes = text === '' && given.why !== null ? null : Buffer.byteLength(text);
  const citable = [...brief.files, activity.project.request];
  const isSimulated = given.isSimulated || reviewBefore(activity)?.isSimulated === true;
  const health = healthOf({ bytes, isPastTimeout: given.isPastTimeout, text, given: citable });
  const read = readReview(given.output, given.text);
  const why = given.why ?? (health === 'good' ? unreadable(activity, read) : `its review is ${health}`);
  if (why === null) {
    const review: Review = { agent, status: 'done', health, ...read, why: null, partial: '', isSimulated };
    return report('review:handed-in', resultOf(review), { agent, findings: read.findings.length });
  }
  const partial = [partialOf(activity), given.said].filter(Boolean).join('\n').slice(-20_000);
  const review = { ...lost(brief, { status: 'lost', why, isSimulated }), health, partial };
  const raised = raiseSeat(activity, brief);
  const isLast = activity.visit > 1 && raised === null;
  const used = isLast && brief.seat.isCritical ? partialReview(review, citable) : review;
  if (used.status === 'partial') {
    const facts = { agent, findings: used.findings.length, partial: true, why: why.slice(0, 500) };
    return report('review:handed-in', resultOf(used), facts);
  }
  const patch = { ...resultOf(review), partial, ...(raised && { seat: asJson(raised), raisedFrom: brief.seat.tier }) };
  const facts = { agent, health, why: why.slice(0, 500), ...(raised && { nextTier: raised.tier }) };
  return report('review:unusable', patch, facts);
}

/** The seat of a critical reviewer that failed twice, in the next tier; null if it is not due or there is none. */
function raiseSeat({ visit, context }: ActivityContext, { seat }: ReviewBrief): Seat | null {
  const tier = nextTier(seat.tier);
  const isDue = visit > 1 && seat.isCritical && context['raisedFrom'] === undefined;
  return isDue && tier !== null ? { ...seat, tier } : null;
}

/** Prose that no findings can be told apart in is asked for once more; then it is shown as it is, with a note. */
const unreadable = ({ visit }: ActivityContext, { notes }: Read): string | null =>
  visit === 1 && notes.includes(UNTOLD) ? UNTOLD : null;

const lost = (
  { seat }: ReviewBrief,
  how: Pick<Review, 'status' | 'isSimulated'> & { readonly why: string },
): Review => ({ agent: seat.agent, health: 'missing', summary: '', findings: [], notes: [], partial: '', ...how });

const resultOf = (review: Review): JsonObject => ({ result: asJson(review) });
