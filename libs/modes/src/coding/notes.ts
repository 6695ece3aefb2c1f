import type { ActivityContext } from '#engine';
import { type CodingContext, contextOf } from './context.js';
import { problemsOf, tasksOf } from './coding-context.js';

type Known = Pick<ActivityContext, 'context'>;

type Decision = NonNullable<CodingContext['decision']>;

export const decisionOf = ({ context }: Known): Decision => contextOf({ context }).decision ?? {};

/** Whatever people said about the plans so far: a later word does not take an earlier one back. */
export function feedbackOf(known: Known): readonly string[] {
  const before = contextOf(known).feedback ?? [];
  const { gate, feedback = '' } = decisionOf(known);
  return gate === 'plan' && feedback !== '' ? [...before, feedback] : before;
}

/** What a person said with an approval: no plan is made of it any more, so whoever works has to be told. */
export function approvalOf(known: Known): string {
  const { gate, decision, feedback = '' } = decisionOf(known);
  if (gate === 'plan' && decision === 'approve') return feedback;
  const before = contextOf(known).approval ?? '';
  const isMore = gate === 'execute' && decision === 'approve' && feedback !== '';
  return isMore ? [before, feedback].filter((said) => said !== '').join('\n') : before;
}

/** What a person said at the block that the work goes on from. */
export function saidAtBlock(known: Known): readonly string[] {
  const { gate, feedback = '' } = decisionOf(known);
  return gate === 'resolve-problem' && feedback !== '' ? [`A person says: ${feedback}`] : [];
}

/** What people said that whoever works has to heed whole: at the block it goes on from, and with the approval. */
export const saidByPeople = (known: Known): readonly string[] => {
  const approval = approvalOf(known);
  return [...saidAtBlock(known), ...(approval === '' ? [] : [`Said with the approval: ${approval}`])];
};

/** What was settled before the work: answers, assumptions, and the plan that a person approved. */
export const settledNotes = (known: Known): string => {
  const approval = approvalOf(known);
  const said = approval === '' ? [] : [`Said with the approval: ${approval}`];
  return [...plannedNotes(known), ...said].join('\n');
};

export function plannedNotes(known: Known): readonly string[] {
  const { assumptions = '', plan, isPlanDraft } = contextOf(known);
  const steps = plan?.steps?.map(({ title, check }, nth) => `${String(nth + 1)}. ${title} (${check})`) ?? [];
  const title = isPlanDraft === true ? 'A plan was drafted, which nobody has approved' : 'The approved plan';
  const planned = plan ? [`${title}: ${plan.summary ?? ''}`, ...steps] : [];
  return [...(assumptions === '' ? [] : [assumptions]), ...planned];
}

/** What is done, each with its commit and what was said of it. */
export const doneNotes = (known: Known): readonly string[] =>
  tasksOf(known)
    .filter(({ kind, status }) => kind !== 'review' && status === 'completed')
    .map(({ id, title, commit, note }) => {
      const where = commit === null ? '' : ` (${commit.slice(0, 8)})`;
      return `done: ${id} ${title}${where}${note === null ? '' : `: ${note.slice(0, 500)}`}`;
    });

/** What reviewers of a project that has escalated are told beside what was settled: why, and what there is by now. */
export function escalationNotes(known: Known): readonly string[] {
  const because = contextOf(known).escalatedBecause;
  if (!because) return [];
  const open = tasksOf(known).find(({ kind, status }) => kind !== 'review' && status === 'in_progress');
  const tried = problemsOf(known).flatMap(({ title, attempts }) => [
    `problem: ${title}`,
    ...attempts.map(
      ({ number, tried: how, why }) => `attempt ${String(number)}: ${how.slice(0, 300)}; ${why ?? 'it worked'}`,
    ),
  ]);
  return [
    `A small team began this, and it was handed to the full team because ${because.join('; ')}.`,
    ...feedbackOf(known).map((words) => `a person said about the plan: ${words}`),
    ...doneNotes(known),
    ...(open ? [`begun, and not done: ${open.id} ${open.title}`] : []),
    ...tried,
  ];
}
