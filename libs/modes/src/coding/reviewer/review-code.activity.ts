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
import { type Review, type ReviewBrief, type ReviewerContext, reviewerContextOf, type Seat } from './review.js';
import { reviewPrompt } from './review.prompt.js';

type Parts = Pick<CodingParts, 'workshop' | 'runtimes'>;

const TIMED_OUT = ['AGENT_TIMED_OUT', 'AGENT_TURNS_EXHAUSTED', 'AGENT_IDLE'];

/** After so many invalid answers the seat goes to the next tier. */
const MOST_INVALID = 2;

/**
 * One reviewer at its work. A second visit is its respawn, and knows what the first one had said. In a third one its seat
 * is in the next tier, because it is critical or its answers stayed invalid; after it, its partial output is used.
 */
export const reviewCode =
  ({ workshop, runtimes }: Parts): Activity =>
  async (activity) => {
    const brief = reviewerContextOf(activity);
    const { place, order } = brief;
    const runtime = runtimes.get(order.runtime);
    if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${order.runtime}`);
    const host = { ...activity.project, id: place.projectId, name: place.name };
    const worktree = await workshop.enter(host, place, activity.signal);
    const outcome = await runtime.run(taskOf(activity, brief), { activity, worktree, startCommit: place.commit });
    return reported(outcome, activity, brief);
  };

function taskOf(activity: ActivityContext, known: ReviewerContext): AgentTask {
  const { seat, order, result, partial = '' } = known;
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
        ...known,
        request: activity.project.request,
        refusal: result?.why ?? '',
        partial,
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

function reported(outcome: AgentOutcome, activity: ActivityContext, brief: ReviewerContext): Report {
  switch (outcome.kind) {
    case 'waits':
      return waitFor(outcome.ms, outcome.reason, outcome.words);
    case 'over-budget': {
      const why = overBudget(outcome.breaker);
      const review = lost(brief, { status: 'over-budget', why, isSimulated: outcome.isSimulated });
      return report('review:unaffordable', resultOf(review), { agent: brief.seat.agent });
    }
    case 'finished':
      return judged(activity, brief, {
        ...outcome,
        said: outcome.text,
        isPastTimeout: false,
        isInvalid: false,
        why: null,
      });
    case 'failed': {
      const { said, text = said, isSimulated, code, message } = outcome;
      const isPastTimeout = TIMED_OUT.includes(code);
      // Its last message is worth reading where only the shape was wrong; one before it would be read twice.
      const isInvalid = code === 'AGENT_OUTPUT_INVALID';
      const why = isInvalid ? null : `${code}: ${message}`;
      return judged(activity, brief, { output: null, text, said, isSimulated, isPastTimeout, isInvalid, why });
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
  /** Whether its answer stayed in another form than was asked for. */
  readonly isInvalid: boolean;
  /** Why it did not come to its own end. */
  readonly why: string | null;
}

function judged(activity: ActivityContext, brief: ReviewerContext, given: HandedIn): Report {
  const { agent, isCritical } = brief.seat;
  const text = given.output === null ? given.text : JSON.stringify(given.output);
  const bytes = text === '' && given.why !== null ? null : Buffer.byteLength(text);
  const citable = [...brief.files, activity.project.request];
  const isSimulated = given.isSimulated || brief.result?.isSimulated === true;
  const health = healthOf({ bytes, isPastTimeout: given.isPastTimeout, text, given: citable });
  const read = readReview(given.output, given.text);
  const invalidAnswers = (brief.invalidAnswers ?? 0) + (given.isInvalid ? 1 : 0);
  const staysInvalid = given.isInvalid && invalidAnswers >= MOST_INVALID;
  const raised = activity.visit > 1 && (isCritical || staysInvalid) ? raiseSeat(brief) : null;
  const mayAskAgain = activity.visit === 1 || (staysInvalid && raised !== null);
  const why = given.why ?? (health === 'good' ? whyUnreadable(read, mayAskAgain) : `its review is ${health}`);
  if (why === null) {
    const review: Review = { agent, status: 'done', health, ...read, why: null, partial: '', isSimulated };
    return report('review:handed-in', resultOf(review), { agent, findings: read.findings.length });
  }
  const partial = [brief.partial ?? '', given.said].filter(Boolean).join('\n').slice(-20_000);
  const review = { ...lost(brief, { status: 'lost', why, isSimulated }), health, partial };
  const isLast = activity.visit > 1 && raised === null;
  const used = isLast && (isCritical || brief.raisedFrom !== undefined) ? partialReview(review, citable) : review;
  if (used.status === 'partial') {
    const facts = { agent, findings: used.findings.length, partial: true, why: why.slice(0, 500) };
    return report('review:handed-in', resultOf(used), facts);
  }
  const nextSeat = raised && { seat: asJson(raised), raisedFrom: brief.seat.tier };
  const patch = { ...resultOf(review), partial, invalidAnswers, ...nextSeat };
  const facts = { agent, health, why: why.slice(0, 500), ...(raised && { nextTier: raised.tier }) };
  return report('review:unusable', patch, facts);
}

/** The seat in the next tier; null if there is none, or if it went there before. */
function raiseSeat({ seat, raisedFrom }: ReviewerContext): Seat | null {
  const tier = nextTier(seat.tier);
  return raisedFrom === undefined && tier !== null ? { ...seat, tier } : null;
}

/** Prose that no findings can be told apart in is asked for again if it may be; then it is shown as it is, with a note. */
const whyUnreadable = ({ notes }: Read, mayAskAgain: boolean): string | null =>
  mayAskAgain && notes.includes(UNTOLD) ? UNTOLD : null;

const lost = (
  { seat }: ReviewBrief,
  how: Pick<Review, 'status' | 'isSimulated'> & { readonly why: string },
): Review => ({ agent: seat.agent, health: 'missing', summary: '', findings: [], notes: [], partial: '', ...how });

const resultOf = (review: Review): JsonObject => ({ result: asJson(review) });
