import { fenced, oneLine, section } from '../shared/page-parts.js';
import type { PlanOutput } from './classic.prompt.js';
import type { Settled } from './questions.js';

export interface PlanFacts {
  readonly name: string;
  readonly request: string;
  readonly domains: readonly string[];
  readonly agents: readonly string[];
  readonly plan: PlanOutput;
  readonly isSimulated: boolean;
}

/** PLAN.md: request, domains, agents, steps with their checks, risks. */
export function planPage({ name, request, domains, agents, plan, isSimulated }: PlanFacts): string {
  const lines = [
    `# Plan of ${name}`,
    ...(isSimulated ? ['', '**Written by a simulated model.**'] : []),
    ...section('Request', [oneLine(request, 2_000)]),
    ...section('Domains', domains.map((domain) => `- ${domain}`)),
    ...section('Agents', agents.map((agent) => `- ${agent}`)),
    ...section('Summary', [oneLine(plan.summary, 4_000)]),
    ...section('Steps', plan.steps.map(({ title, check }, nth) => `${String(nth + 1)}. ${oneLine(title)}\n   - check: ${oneLine(check)}`)),
    ...section('Risks', plan.risks.map((risk) => `- ${oneLine(risk)}`)),
  ]; // prettier-ignore
  return `${lines.join('\n')}\n`;
}

/** ASSUMPTIONS.md: what was answered, and what was taken for granted because nobody did. */
export const assumptionsPage = (name: string, all: readonly Settled[]): string =>
  `${[
    `# Assumptions of ${name}`,
    ...(all.length === 0 ? ['', 'None: the request left no question open.'] : []),
    ...all.flatMap(({ id, question, answer, isAssumed, why }) => [
      '',
      `## ${id} ${oneLine(question)}`,
      '',
      `- ${isAssumed ? 'assumed, the safe default' : 'answered by a person'}: ${oneLine(answer, 2_000)}`,
      `- why it was asked: ${oneLine(why)}`,
    ]),
  ].join('\n')}\n`;

/** PLAN-FEEDBACK.md: what people said about each plan. */
export const feedbackPage = (all: readonly string[]): string =>
  `${['# Feedback on the plan', ...all.flatMap((text, nth) => section(String(nth + 1), fenced(text)))].join('\n')}\n`;
