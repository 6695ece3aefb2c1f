import type { ActivityContext } from '#engine';
import type { ArtefactPage } from '#workspace';
import { domainsOf, seatsOf } from '../coding/coding-context.js';
import { limitsOf, escalationCriteria } from '../classic/escalation.js';
import { oneLine, section } from '../shared/page-parts.js';
import { costWords, timeWords, totalOf, formatUsd } from './estimate.js';
import { ESCALATION_CRITERIA } from './outgrown.js';
import { LONGEST_COMMAND } from './tidy-plan.js';
import { skillsOf, type WorkPlan, workPlanOf, type WorkStep } from './work-context.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

/** PLAN.md of work mode: what a person approves, and what that allows. */
export function workPlanPages(scene: Scene): readonly ArtefactPage[] {
  const plan = workPlanOf(scene);
  return plan ? [['PLAN.md', planPage(scene, plan)]] : [];
}

function planPage(scene: Scene, plan: WorkPlan): string {
  const { project, context } = scene;
  const seats = seatsOf(scene);
  const { steps } = plan;
  const lines = [
    `# Plan of ${project.name}`,
    ...(context['simulated'] === true ? ['', '**Written by a simulated model.**'] : []),
    '',
    capWords(plan),
    ...section('Request', [oneLine(project.request, 2_000)]),
    ...section('Domains', orNone(domainsOf(scene).map((domain) => `- ${oneLine(domain, 60)}`), 'None is known.')),
    ...section('Skills', orNone(skillLines(scene), 'None: no skill fits the request.')),
    ...section('Agents', seats.map(({ agent }) => `- ${oneLine(agent)}`)),
    ...section('Summary', [oneLine(plan.summary, 4_000)]),
    ...section('Steps', steps.map(stepLines)),
    ...section('Total', [
      `- cost of the steps: ${costWords(totalOf(steps.map(({ cents }) => cents)))}`,
      `- allowance for plan, checks and proof: ${formatUsd(plan.proofCents)} USD`,
      `- time: ${timeWords(totalOf(steps.map(({ minutes }) => minutes)))}`,
    ]),
    ...section('Risks', plan.risks.map((risk) => `- ${oneLine(risk)}`)),
    ...section('Escalation', [
      'The full team of coding mode takes over, with all that is done by then, if',
      '',
      ...ESCALATION_CRITERIA.map((one) => `- ${one}`),
      '',
      'A person is asked if',
      '',
      '- a step needs a decision that only a person can make',
      ...escalationCriteria(limitsOf(scene, [])).map((one) => `- ${oneLine(one)}`),
    ]),
  ]; // prettier-ignore
  return `${lines.join('\n')}\n`;
}

/** Shown in PLAN.md and at the gate, so that a person knows the cost before approving it. */
export const capWords = ({
  capUsd,
  usedUsd,
  proofCents,
}: Pick<WorkPlan, 'capUsd' | 'usedUsd' | 'proofCents'>): string =>
  [
    `Approving sets the cap to ${capUsd} USD: the high total of the steps, the allowance below, and ${usedUsd} USD that are already used.`,
    '',
    `Allowance for plan, checks and proof: ${formatUsd(proofCents)} USD.`,
  ].join('\n');

const orNone = (lines: readonly string[], words: string): readonly string[] => (lines.length > 0 ? lines : [words]);

const skillLines = (scene: Scene): readonly string[] =>
  skillsOf(scene).map(({ name, description }) => `- ${oneLine(name)}: ${oneLine(description, 200)}`);

const stepLines = (step: WorkStep, nth: number): string =>
  [
    `${String(nth + 1)}. ${step.task} ${oneLine(step.title)}`,
    ...(step.detail === '' ? [] : [`   - what: ${oneLine(step.detail, 1_000)}`]),
    `   - owner: ${oneLine(step.owner)}`,
    `   - skills: ${step.skills.length === 0 ? 'none' : oneLine(step.skills.join(', '))}`,
    ...(step.file === null ? [] : [`   - document: ${oneLine(step.file)}`]),
    `   - check: ${oneLine(step.check, 1_000)}`,
    `   - checked by: ${step.command === null ? 'an agent that did not write it, with quotes' : `the service, which runs ${oneLine(step.command, LONGEST_COMMAND)}`}`,
    `   - cost: ${costWords(step.cents)}`,
    `   - time: ${timeWords(step.minutes)}`,
  ].join('\n');
