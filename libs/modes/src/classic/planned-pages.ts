import type { ActivityContext } from '#engine';
import type { Json } from '#kernel';
import type { ArtefactPage } from '#workspace';
import { domainsOf, seatsOf } from '../coding/coding-context.js';
import type { PlanOutput } from './classic.prompt.js';
import { limitsOf } from './escalation.js';
import { assumptionsPage, planPage } from './plan-page.js';
import { questionsIn, settled } from './questions.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

/** The pages of a plan that is in the context: what was settled before it, and the plan itself. */
export function plannedPages(scene: Scene): readonly ArtefactPage[] {
  const { project, context } = scene;
  const { name, request } = project;
  const seats = seatsOf(scene);
  const answers: Json = context['answers'] ?? null;
  const besides = (context['remark'] as string | undefined) ?? '';
  const page = planPage({
    name,
    request,
    domains: domainsOf(scene),
    agents: seats.map(({ agent }) => agent),
    skillsByAgent: Object.fromEntries(seats.map(({ agent, skills }) => [agent, skills.map((skill) => skill.name)])),
    limits: limitsOf(scene, seats),
    plan: context['plan'] as unknown as PlanOutput,
    isSimulated: context['simulated'] === true,
  });
  return [
    ['PLAN.md', page],
    ['ASSUMPTIONS.md', assumptionsPage(name, settled(questionsIn(context), answers), besides)],
  ];
}
