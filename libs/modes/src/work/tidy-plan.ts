import type { ProjectTask } from '#contracts';
import { cleanLine, cleanText, stepTasks } from '#team';
import { documentPath } from './documents.js';
import { capFor, centsOf, minutesOf, proofCentsFor, totalOf } from './estimate.js';
import type { WorkPlanOutput } from './plan.prompt.js';
import { PLAIN_CHECK } from './rule-on-step.js';
import type { WorkPlan, WorkStep } from './work-context.js';

const MOST_STEPS = 20;
const MOST_DOMAINS = 12;
const MOST_RISKS = 20;
export const LONGEST_COMMAND = 2_000;

interface Around {
  /** Who is seated; the first has what has no owner. */
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  /** What the words of the request are about. */
  readonly domains: readonly string[];
  /** Tasks that have their numbers. */
  readonly before: readonly ProjectTask[];
  readonly usedUsd: string;
}

/** A plan as a model made it, with nothing in it that could not be carried out; and the tasks that follow from it. */
export function tidyPlan(
  said: WorkPlanOutput,
  { agents, skills, domains, before, usedUsd }: Around,
): { readonly plan: WorkPlan; readonly tasks: readonly ProjectTask[] } {
  const all = said.steps.filter(({ title }) => cleanLine(title, 200) !== '');
  const named = all.slice(0, MOST_STEPS);
  const owned = named.map((step) => ({
    ...step,
    title: cleanLine(step.title, 200),
    detail: cleanText(step.detail, 4_000),
    owner: agents.includes(step.owner) ? step.owner : (agents[0] ?? 'implementer'),
  }));
  const tasks = stepTasks(owned, before);
  const steps = owned.map((step, nth): WorkStep => ({
    task: tasks[nth]?.id ?? '',
    title: step.title,
    detail: step.detail,
    owner: step.owner,
    skills: [...new Set(step.skills)].filter((name) => skills.includes(name)),
    check: cleanText(step.check, 2_000) || PLAIN_CHECK,
    command: commandOf(step.command),
    file: documentPath(step.file),
    cents: centsOf(step.costUsd),
    minutes: minutesOf(step.minutes),
  }));
  const { high: highCents } = totalOf(steps.map(({ cents }) => cents));
  const proofCents = proofCentsFor(highCents);
  const plan: WorkPlan = {
    summary: cleanText(said.summary, 4_000),
    domains: allDomains(domains, said.domains),
    steps,
    risks: [...leftOut(all.length), ...said.risks.slice(0, MOST_RISKS).map((risk) => cleanLine(risk, 500))],
    proofCents,
    usedUsd,
    capUsd: capFor({ highCents, proofCents }, usedUsd),
  };
  return { plan, tasks };
}

/** Nobody is to approve a plan as whole that is not. */
const leftOut = (steps: number): readonly string[] =>
  steps > MOST_STEPS
    ? [`The plan had ${String(steps)} steps. Those after the first ${String(MOST_STEPS)} are left out and not done.`]
    : [];

/** A cut command would be another command, so an agent reads instead. `provenByCommand` finds commands that cannot fail. */
function commandOf(command: string | null): string | null {
  const clean = command?.trim() ?? '';
  return clean === '' || clean.length > LONGEST_COMMAND ? null : clean;
}

/** A name, as in `machine learning`: prompts say it beside what is ours, so no sentence may pass for one. */
const DOMAIN = /^\p{L}[\p{L}\p{N}-]{0,24}(?: [\p{L}\p{N}-]{1,24})?$/u;

/** Each once, however it is written. */
export function allDomains(known: readonly string[], more: readonly string[]): readonly string[] {
  const words = more.map((name) => cleanLine(name, 60).toLowerCase()).filter((name) => DOMAIN.test(name));
  return [...new Set([...known, ...words])].slice(0, MOST_DOMAINS);
}
