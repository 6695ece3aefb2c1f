import { type ActivityContext, type Report, report } from '#engine';
import { listed, resolvedBlock, unblocked } from '../coding/coding-context.js';
import { leftOut } from '../coding/left-out.js';
import { approvalOf, decisionOf, feedbackOf } from '../coding/notes.js';
import { repeatable } from '../shared/repeatable.js';
import { consentOf } from './consent.js';
import { askedOf, openQuestion, type WorkModeParts, workPlanOf } from './work-context.js';

/**
 * What a person decided before EXECUTING goes on, in a visit of its own: the cap is what was approved before the first
 * step begins, and a step that asked has its answer. Null where nothing was decided.
 */
export const adopted =
  (parts: WorkModeParts) =>
  async (activity: ActivityContext): Promise<Report | null> => {
    const { gate, decision, feedback = '' } = decisionOf(activity);
    if (gate === 'plan' && decision === 'approve') {
      const heeded = { ...unblocked, feedback: [...feedbackOf(activity)] };
      const question = openQuestion(activity);
      if (question) {
        const answer = feedback.trim() || 'approved without a comment';
        const asked = askedOf(activity).map((one) => (one === question ? { ...one, answer } : one));
        return report(
          'decision:heeded',
          { ...heeded, asked: listed(asked), isCutShort: true },
          { task: question.task },
        );
      }
      const capUsd = await approvedCap(parts, activity);
      const patch = { ...heeded, approval: approvalOf(activity), isPlanDraft: null };
      return report('decision:heeded', patch, { gate, capUsd });
    }
    // At a block a person went on with what is done: here nobody else accepts it.
    if (resolvedBlock(activity)?.decision !== 'proceed') return null;
    const rest = await leftOut(parts, activity);
    const patch = rest && { ...rest, needsProof: null, ...consentOf(activity) };
    return patch && report('decision:heeded', patch, { decision: 'proceed' });
  };

/** The plan that was approved says what it is; what holds then is answered. */
async function approvedCap({ budgets }: WorkModeParts, activity: ActivityContext): Promise<string | null> {
  const plan = workPlanOf(activity);
  if (!plan) return null;
  return repeatable(activity, 'approve-cap', (run) =>
    budgets.approve({
      projectId: activity.project.id,
      usd: plan.capUsd,
      operation: `${run.lease.projectId}/${run.key}`,
      because: 'the plan was approved',
    }),
  );
}
