import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { codingOrderOf, listed, seatsOf } from '../coding/coding-context.js';
import {
  implementerStrategy,
  type Finished,
  type AgentReply,
  type TaskStrategy,
  type TaskStrategies,
} from '../coding/task-strategy.js';
import { executeInput } from '../coding/execute-input.js';
import { checkParts } from '../coding/proof/check-task.js';
import { runAgent } from '../coding/run-agent.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { checkStep } from './check-step.js';
import { isDocument, LONGEST_PATH } from './documents.js';
import { withReport } from './reports.js';
import { stepFor } from './step-for.js';
import { StepOutput, stepPrompt } from './step.prompt.js';
import {
  askedOf, type Deliverable, deliverablesOf, isEscalated, resultsOf, skillsOf, type StepResult, type WorkModeParts, workPlanOf,
} from './work-context.js'; // prettier-ignore

/** Steps, and what a person wants changed at the end, where nobody else accepts it; the rest is as in coding mode. */
export const workStrategies = (parts: WorkModeParts): TaskStrategies => {
  const [byStep, byImplementer] = [stepStrategy(parts), implementerStrategy(parts)];
  return (scene, { kind }) =>
    kind === 'step' || (kind === 'feedback' && !isEscalated(scene)) ? byStep : byImplementer;
};

/**
 * A step of the plan: its owner carries it out. It is done if its own check holds, and what the plan says is due after it:
 * the failures in scope that it settles, and the checks of the parts that it completes.
 */
export const stepStrategy = (parts: WorkModeParts): TaskStrategy => ({
  ownerOf: (activity, task) => stepFor(activity, task).owner,
  run: async (activity, at, task) => {
    const { owner, ...step } = stepFor(activity, task);
    const { surroundings, ...known } = await executeInput(parts, activity, at, task);
    return runAgent(parts, activity, at, {
      step: owner,
      role: owner,
      purpose: 'work',
      attempt: 1,
      tier: codingOrderOf(activity).tier,
      prompt: stepPrompt,
      input: {
        ...known,
        ...step,
        id: task.id,
        role: {
          agent: owner,
          instructions: seatsOf(activity).find(({ agent }) => agent === owner)?.instructions ?? '',
        },
        skills: skillsOf(activity).filter(({ name }) => step.skills.includes(name)),
        asked: askedOf(activity).filter((one) => one.task === task.id && one.answer !== null),
        // The step names the skills that it needs, and the list of steps has the plan.
        surroundings: { ...surroundings, skills: [], settled: workPlanOf(activity)?.summary ?? '' },
      },
      access: 'write',
      output: { name: 'step', type: StepOutput },
    });
  },
  readReply,
  check: async (activity, worktree, wish) => {
    const due = await checkParts(parts, activity, worktree, wish);
    if (due.kind !== 'held') return due;
    const scene = withPatchedContext(activity, due.patch);
    const checked = await checkStep(parts)(scene, worktree, wish);
    return { ...checked, patch: { ...due.patch, ...checked.patch } };
  },
  canCheckEarly: () => false,
  kept,
});

function readReply(activity: ActivityContext, task: ProjectTask, { output }: Finished): AgentReply {
  const { outcome, summary, question, wrongCheck = null, findings } = StepOutput.parse(output);
  const patch = withReport(activity, stepFor(activity, task).owner, findings);
  const said = { outcome: 'done' as const, summary, wrongCheck };
  const words = question?.trim().slice(0, 4_000) ?? '';
  if (outcome === 'done' || words === '') return { said, patch, asks: null };
  const asked = [...askedOf(activity), { task: task.id, question: words, answer: null }];
  const why = `${task.id} ${task.title} asks:\n\n${words}\n\nWhat is known so far: ${summary.slice(0, 2_000)}\n\nApprove with your answer as feedback to continue the step. Revise to get a new plan. The cap does not change.`;
  return {
    said,
    patch,
    asks: { event: 'feedback:wanted', patch: { asked: listed(asked), why }, data: { task: task.id } },
  };
}

/** The result of a step: what was changed, what showed that it is done, and the documents among it. */
function kept(context: JsonObject, { id }: ProjectTask, commit: string | null): JsonObject {
  const checked = context['checked'] as unknown as Omit<StepResult, 'commit'> | null | undefined;
  if (checked?.task !== id) return { checked: null };
  const { files, deleted = [], evidence } = checked;
  const result: StepResult = { task: id, commit, files, deleted, evidence };
  const isHandedOver = (path: string): boolean => isDocument(path) && path.length <= LONGEST_PATH;
  const documents = commit === null ? [] : files.filter(isHandedOver);
  const fresh = documents.map((path): Deliverable => ({ path, commit: commit ?? '', task: id }));
  // A document that is gone is none that anybody can be handed.
  const others = deliverablesOf({ context }).filter(({ path }) => ![...documents, ...deleted].includes(path));
  return {
    checked: null,
    results: listed([...resultsOf({ context }).filter(({ task }) => task !== id), result]),
    deliverables: listed([...others, ...fresh]),
  };
}
