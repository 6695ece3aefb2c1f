import type { ActivityContext } from '#engine';
import { findingsOf, tasksOf } from './coding-context.js';

const MOST_NOTES = 40;

/** What was settled before the work: answers, assumptions, and the plan that a person approved. */
export function settledNotes({ context }: Pick<ActivityContext, 'context'>): string {
  const { assumptions, plan } = context as {
    assumptions?: unknown;
    plan?: { summary?: string; steps?: readonly { title: string; check: string }[] };
  };
  const steps = plan?.steps?.map(({ title, check }, nth) => `${String(nth + 1)}. ${title} (${check})`) ?? [];
  const planned = plan ? [`The approved plan: ${plan.summary ?? ''}`, ...steps] : [];
  return [...(typeof assumptions === 'string' && assumptions !== '' ? [assumptions] : []), ...planned].join('\n');
}

/** What whoever works next should know: what was settled, learnt and done so far. Short, and in the project's own words. */
export function notesFor(activity: Pick<ActivityContext, 'context'>): readonly string[] {
  const { context } = activity;
  const memories = (context['memories'] as readonly string[] | undefined) ?? [];
  const settled = settledNotes(activity);
  const done = tasksOf(activity)
    .filter(({ kind, status }) => kind !== 'review' && status === 'completed')
    .map(({ id, title, commit }) => `done: ${id} ${title}${commit === null ? '' : ` (${commit.slice(0, 8)})`}`);
  const considered = findingsOf(activity)
    .filter(({ priority }) => priority === 'P2')
    .map(({ title, file }) => `a reviewer suggests: ${title}${file === null ? '' : ` (${file})`}`);
  return [
    ...(settled === '' ? [] : [settled]),
    ...memories.map((memory) => `learnt before: ${memory}`),
    ...done,
    ...considered,
  ].slice(0, MOST_NOTES);
}
