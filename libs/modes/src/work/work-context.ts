import type { ActivityContext } from '#engine';
import type { RawFinding } from '#team';
import type { BudgetUse, CodingParts } from '../coding/coding-context.js';
import type { Evidence } from '../coding/scenario.js';
import type { MatchingSkill } from '../shared/matching-skills.js';
import type { Range } from './estimate.js';

/** What the activities of work mode stand on beside those of coding mode. */
export interface WorkModeParts extends CodingParts {
  readonly budgets: ProjectBudgets;
}

export interface ProjectBudgets extends BudgetUse {
  /** What the project has used of its cap, in USD. */
  used(projectId: string): Promise<string>;
  /**
   * The cap becomes what a person approved, unless somebody has asked for another one since. Done once for each
   * operation. Answers with the cap that holds then, in USD; null where there is none.
   */
  approve(cap: {
    readonly projectId: string;
    readonly usd: string;
    readonly operation: string;
    readonly because: string;
  }): Promise<string | null>;
}

/** One step of a plan, tidied: whoever reads it finds nothing that could not be carried out. */
export interface WorkStep {
  /** The task that carries it out. */
  readonly task: string;
  readonly title: string;
  readonly detail: string;
  /** One of the agents that are seated. */
  readonly owner: string;
  /** Names of skills that were found. */
  readonly skills: readonly string[];
  /** How one sees that it is done. */
  readonly check: string;
  /** Run by the service; null: an agent that did not write it judges. */
  readonly command: string | null;
  /** What a third agent ruled wrong, and is no longer asked for. */
  readonly wrongCheck?: { readonly check: string; readonly why: string };
  /** The document that it leaves; null where it leaves none. */
  readonly file: string | null;
  readonly cents: Range;
  readonly minutes: Range;
}

export interface WorkPlan {
  readonly summary: string;
  readonly domains: readonly string[];
  readonly steps: readonly WorkStep[];
  readonly risks: readonly string[];
  /** Allowed for the plan of the request, its checks and its proof, beside the steps. */
  readonly proofCents: number;
  /** What approving it sets the cap to, in USD. */
  readonly capUsd: string;
  readonly usedUsd: string;
}

/** A place of the repository that bears a verdict out; the service has found it there. */
export interface Quote {
  readonly file: string;
  readonly quote: string;
  /** The service has seen that the step deleted it. */
  readonly isDeleted?: true;
}

/** What showed that a step is done. */
export interface StepEvidence {
  readonly by: string;
  readonly because: string;
  readonly run: Evidence | null;
  readonly quotes: readonly Quote[];
}

export interface StepResult {
  readonly task: string;
  readonly commit: string | null;
  readonly files: readonly string[];
  /** Absent in what an older release has kept. */
  readonly deleted?: readonly string[];
  readonly evidence: StepEvidence;
}

export interface Deliverable {
  readonly path: string;
  readonly commit: string;
  readonly task: string;
}

/** What a step asks a person, and what was answered. */
export interface Asked {
  readonly task: string;
  readonly question: string;
  readonly answer: string | null;
}

/** What agents of work mode reported on the way, before any reviewer was seated. */
export interface Reported {
  readonly agent: string;
  readonly findings: readonly RawFinding[];
}

type Known = Pick<ActivityContext, 'context'>;
const read = <T>({ context }: Known, key: string, fallback: T): T =>
  (context[key] as unknown as T | null | undefined) ?? fallback;

export const workPlanOf = (scene: Known): WorkPlan | null => read<WorkPlan | null>(scene, 'plan', null);
export const stepsOf = (scene: Known): readonly WorkStep[] => workPlanOf(scene)?.steps ?? [];
export const skillsOf = (scene: Known): readonly MatchingSkill[] => read<readonly MatchingSkill[]>(scene, 'skills', []);
export const resultsOf = (scene: Known): readonly StepResult[] => read<readonly StepResult[]>(scene, 'results', []);
export const deliverablesOf = (scene: Known): readonly Deliverable[] =>
  read<readonly Deliverable[]>(scene, 'deliverables', []);
export const askedOf = (scene: Known): readonly Asked[] => read<readonly Asked[]>(scene, 'asked', []);
export const reportsOf = (scene: Known): readonly Reported[] => read<readonly Reported[]>(scene, 'reports', []);

/** What waits for an answer at the gate. */
export const openQuestion = (scene: Known): Asked | null =>
  askedOf(scene).find(({ answer }) => answer === null) ?? null;

export const isEscalated = ({ context }: Known): boolean => context['escalated'] === true;
/** Whether nobody has approved the plan that there is. */
export const isDraft = ({ context }: Known): boolean => context['isPlanDraft'] === true;
