import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { ArtefactPage } from '#workspace';
import { limitsOf } from '../../classic/escalation.js';
import { assumptionsPage, planPage } from '../../classic/plan-page.js';
import { codingOrderOf, domainsOf, seatsOf } from '../coding-context.js';

/** PLAN.md and ASSUMPTIONS.md of a project that nobody has planned: what the reviews have made of the request. */
export function planPages(
  activity: Pick<ActivityContext, 'project' | 'context'>,
  tasks: readonly ProjectTask[],
  isSimulated: boolean,
): readonly ArtefactPage[] {
  const { name, request } = activity.project;
  const { minutes, variant } = codingOrderOf(activity);
  const seats = seatsOf(activity);
  const steps = tasks
    .filter(({ kind }) => kind !== 'review')
    .map(({ id, title }) => ({
      title: `${id} ${title}`,
      check: 'the verify commands fail no worse than before the first change, and a commit names it',
      estimate: `at most ${String(minutes)} minutes for an agent`,
    }));
  const summary =
    variant === 'planning'
      ? 'What the reviewers found, then the request: steps for whoever carries them out. Nothing was changed.'
      : 'What the reviewers found comes first, then the request; then the whole is proven and accepted.';
  const page = planPage({
    name,
    request,
    domains: domainsOf(activity),
    agents: seats.map(({ agent }) => agent),
    skillsByAgent: Object.fromEntries(seats.map(({ agent, skills }) => [agent, skills.map((skill) => skill.name)])),
    limits: limitsOf(activity, seats),
    plan: { summary, steps, risks: [] },
    isSimulated,
  });
  return [
    ['PLAN.md', page],
    [
      'ASSUMPTIONS.md',
      assumptionsPage(name, [], '', 'coding mode takes the request as it is and asks no questions first'),
    ],
  ];
}
