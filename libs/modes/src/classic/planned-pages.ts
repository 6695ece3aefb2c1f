import type { ActivityContext } from '#engine';
import type { Json } from '#kernel';
import type { ArtefactPage } from '#workspace';
import { domainsOf, seatsOf } from '../coding/coding-context.js';
import type { PlanOutput } from './classic.prompt.js';
import { limitsOf } from './escalation.js';
import { assumptionsPage, feedbackPage, planPage } from './plan-page.js';
import { type Question, settled } from './questions.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

export const questionsOf = ({ context }: Pick<Scene, 'context'>): readonly Question[] =>
  (context['questions'] as unknown as readonly Question[] | undefined) ?? [];

/** The pages of a plan that is in the context: what was settled before it, the plan, and what people said about it. */
export function plannedPages(scene: Scene): readonly ArtefactPage[] {
  const { project, context } = scene;
  const { name, request } = project;
  const seats = seatsOf(scene);
  const answers: Json = context['answers'] ?? null;
  const feedback = (context['feedback'] as readonly string[] | undefined) ?? [];
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
    ['ASSUMPTIONS.md', assumptionsPage(name, settled(questionsOf(scene), answers))],
    ...(feedback.length === 0 ? [] : [['PLAN-FEEDBACK.md', feedbackPage(feedback)] as const]),
  ];
}
