import type { ActivityContext } from '#engine';
import { tasksOf } from './coding-context.js';
import { listLines, shortenRequest } from './proof/unproven-screen.js';
import type { GivenUp } from './why-given-up.js';

const LONGEST_OUTPUT = 2_000;

const ANSWER =
  'Likely best answer: fix it in the worktree and decide `resolve`; your change is verified and kept. RETRY makes one more attempt with the largest model. `defer` takes the change of this task back and leaves it for later. `proceed` accepts the rest.';

/** What a person reads if no attempt fixed a problem: what fails, what was asked, what is done, and what to do. */
export function renderProblemScreen(activity: Pick<ActivityContext, 'project' | 'context'>, givenUp: GivenUp): string {
  const done = tasksOf(activity).filter(({ kind, commit }) => kind !== 'review' && commit !== null);
  const printed = givenUp.why.slice(givenUp.message.length).trim().slice(-LONGEST_OUTPUT);
  return [
    givenUp.message,
    `What was asked: ${shortenRequest(activity.project.request)}`,
    listLines(
      'Done',
      done.map(({ id, title }) => `${id} ${title}`),
      'Nothing is committed yet.',
    ),
    ...(printed === '' ? [] : [`What was printed:\n${printed}`]),
    ANSWER,
  ].join('\n\n');
}
