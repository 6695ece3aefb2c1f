import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { ArtefactPage } from '#workspace';
import { limitsOf } from '../../classic/escalation.js';
import { assumptionsPage, planPage } from '../../classic/plan-page.js';
import { codingOrderOf, domainsOf, seatsOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { checkOf } from '../execute-input.js';

const STEP_CHECK = 'no test fails that passed before';
const FIX_CHECK = `${STEP_CHECK}, and another agent confirms the fix`;

/** PLAN.md and ASSUMPTIONS.md of a project whose plan no person approves. */
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
    .map(({ id, title, kind }) => ({
      title: `${id} ${title}`,
      check: checkOf(activity, id) || (kind === 'finding' ? FIX_CHECK : STEP_CHECK),
      estimate: `at most ${String(minutes)} minutes for an agent`,
    }));
  const order =
    'Findings that must be fixed first, the steps of the request, findings about its result, then other findings.';
  const end = variant === 'planning' ? 'Nothing was changed.' : 'Then the whole result is proven and accepted.';
  const summary = [order, end, ...describeRequest(activity)].join(' ');
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
      assumptionsPage(name, [], '', 'coding mode takes the request as it is, and asks no questions first'),
    ],
  ];
}

/** What the planner made of the request: its class decides what proves it. */
function describeRequest(activity: Pick<ActivityContext, 'context'>): readonly string[] {
  const { requestPlan } = contextOf(activity);
  if (!requestPlan) return [];
  const { parts, scope } = requestPlan;
  const listed = parts.map(({ title }, index) => `(${String(index + 1)}) ${title}`).join('; ');
  const inScope =
    scope.length === 0 ? [] : [`Failing tests that must pass: ${scope.map(({ name }) => name).join('; ')}.`];
  return [`Class of the request: ${requestPlan.class}. Its parts: ${listed}.`, ...inScope];
}
