import { type ActivityContext, type Report, report } from '#engine';
import { feedbackTasks } from '#team';
import { type CodingParts, listed, tasksOf, unblocked } from './coding-context.js';
import { keptAtRest } from './left-by-person.js';
import { approvalOf, decisionOf } from './notes.js';

/** The same with what that person changed in the worktree meanwhile: it is kept, and the task begins without it. */
export async function heeded(parts: CodingParts, activity: ActivityContext): Promise<Report | null> {
  const found = heededDecision(activity);
  if (found?.kind !== 'event' || decisionOf(activity).gate !== 'complete') return found;
  return { ...found, patch: { ...found.patch, ...(await keptAtRest(parts, activity)) } };
}

/**
 * What a person said at the gate that EXECUTING was entered from, taken up in a visit of its own, before anything that
 * could fail: the decision at a block would take its place in the context. Null where there is nothing to take up.
 */
export function heededDecision(activity: Pick<ActivityContext, 'context'>): Report | null {
  const { gate, decision, feedback = '' } = decisionOf(activity);
  if (gate === 'execute') {
    const approval = approvalOf(activity);
    return report('decision:heeded', { ...unblocked, ...(approval !== '' && { approval }) }, { gate });
  }
  if (gate !== 'complete' || decision !== 'revise') return null;
  const before = tasksOf(activity);
  const tasks = feedbackTasks(feedback, before);
  // What was accepted is not what will be there then.
  const patch = { ...unblocked, tasks: listed([...before, ...tasks]), isAccepted: null, isWhollyAccepted: null };
  return report('decision:heeded', patch, { gate, tasks: tasks.map(({ id }) => id) });
}
