import { fenced, oneLine, section } from '../shared/page-parts.js';
import type { PlanOutput } from './classic.prompt.js';
import { escalationCriteria, type Limits } from './escalation.js';
import type { Settled } from './questions.js';

export interface PlanFacts {
  readonly name: string;
  readonly request: string;
  readonly domains: readonly string[];
  readonly agents: readonly string[];
  readonly skillsByAgent: Readonly<Record<string, readonly string[]>>;
  readonly limits: Limits;
  readonly plan: Omit<PlanOutput, 'steps'> & { readonly steps: readonly PlannedStep[] };
  readonly isSimulated: boolean;
}

type PlannedStep = PlanOutput['steps'][number] & {
  /** Where nobody estimated anything, and something is known all the same. */
  readonly estimate?: string;
};

/** PLAN.md: request, domains, skills, agents, steps with check and estimate, risks, and what a person is asked about. */
export function planPage(facts: PlanFacts): string {
  const { name, request, domains, agents, skillsByAgent, limits, plan, isSimulated } = facts;
  const lines = [
    `# Plan of ${name}`,
    ...(isSimulated ? ['', '**Written by a simulated model.**'] : []),
    ...section('Request', [oneLine(request, 2_000)]),
    ...section('Domains', domains.map((domain) => `- ${domain}`)),
    ...section('Skills', skillLines(skillsByAgent)),
    ...section('Agents', agents.map((agent) => `- ${agent}`)),
    ...section('Summary', [oneLine(plan.summary, 4_000)]),
    ...section('Steps', plan.steps.map(stepLines)),
    ...section('Risks', plan.risks.map((risk) => `- ${oneLine(risk)}`)),
    ...section('Escalation', ['A person is asked if', '', ...escalationCriteria(limits).map((one) => `- ${oneLine(one)}`)]),
  ]; // prettier-ignore
  return `${lines.join('\n')}\n`;
}

function skillLines(skillsByAgent: PlanFacts['skillsByAgent']): readonly string[] {
  const used = Object.entries(skillsByAgent).filter(([, skills]) => skills.length > 0);
  const lines = used.map(([agent, skills]) => `- ${oneLine(agent)}: ${oneLine(skills.join(', '))}`);
  return lines.length === 0 ? ['None: no skill that was found fits the request.'] : lines;
}

function stepLines({ title, check, minutes, estimate = 'none given' }: PlannedStep, nth: number): string {
  const words = minutes ? estimateWords(minutes) : estimate;
  return `${String(nth + 1)}. ${oneLine(title)}\n   - check: ${oneLine(check)}\n   - estimate: ${words}`;
}

const MOST_MINUTES = 100_000;

/** Whatever a model makes of the three: whole minutes in their order. */
function estimateWords({ low, expected, high }: NonNullable<PlanOutput['steps'][number]['minutes']>): string {
  const [least, likely, most] = [low, expected, high]
    .map((minutes) => Math.round(Math.min(Math.max(minutes, 0), MOST_MINUTES)))
    .sort((one, other) => one - other);
  return `${String(likely)} minutes, from ${String(least)} to ${String(most)}`;
}

/** ASSUMPTIONS.md: what was answered, and what was taken for granted because nobody did. */
export const assumptionsPage = (
  name: string,
  all: readonly Settled[],
  besides: string,
  whyNone = 'the request left no question open',
): string =>
  `${[
    `# Assumptions of ${name}`,
    ...(all.length === 0 ? ['', `None: ${whyNone}.`] : []),
    ...all.flatMap(({ id, question, answer, isAssumed, why }) => [
      '',
      `## ${id} ${oneLine(question)}`,
      '',
      `- ${isAssumed ? 'assumed, the safe default' : 'answered by a person'}: ${oneLine(answer, 2_000)}`,
      `- why it was asked: ${oneLine(why)}`,
    ]),
    ...(besides === '' ? [] : section('Said besides', fenced(besides))),
  ].join('\n')}\n`;
