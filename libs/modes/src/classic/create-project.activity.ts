import { type Activity, type ActivityContext, report } from '#engine';
import { commitOf, shown } from '../shared/work-parts.js';
import { stopOf } from '../coding/agent-stop.js';
import { codingOrderOf, type CodingParts, LIMITS, listed } from '../coding/coding-context.js';
import { openProject } from '../coding/create-project.activity.js';
import { markMilestone } from '../coding/milestone.js';
import { runAgent, simulatedBy, stoppedBy } from '../coding/run-agent.js';
import { clarifyPrompt } from './classic.prompt.js';
import { TEN_MINUTES_MS } from './machine.js';
import { asked, numbered, Questions } from './questions.js';

export const CLARIFIER = 'clarifier';

/** INIT of classic mode: the project is there, and what the request leaves open is known. */
export const createClassic =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, patch, facts } = await openProject(parts, activity);
    // One that comes back here from a block has begun already.
    const commit = commitOf(activity) ?? (await markMilestone(parts, activity, startMessage(activity.project.name)));
    const outcome = await runAgent(parts, activity, { worktree, startCommit: commit }, {
      step: CLARIFIER,
      role: CLARIFIER,
      purpose: 'clarify',
      attempt: 1,
      tier: codingOrderOf(activity).tier,
      prompt: clarifyPrompt,
      input: { request: activity.project.request },
      access: 'read',
      output: { name: 'questions', type: Questions },
      limits: LIMITS.plan,
    }); // prettier-ignore
    const known = { ...patch, ...shown(worktree, commit) };
    const stop = stopOf(outcome);
    if (stop) return stoppedBy(activity, stop, known, null);
    // That nobody could ask says nothing about the request: the plan names what it assumes.
    const fallback = outcome.kind === 'failed' ? `No questions were asked: ${outcome.message}`.slice(0, 500) : null;
    const questions = outcome.kind === 'finished' ? numbered(Questions.parse(outcome.output)) : [];
    const why = questions.length === 0 ? null : asked(questions, timeToAnswer(activity));
    const all = { ...known, ...simulatedBy(outcome), questions: listed(questions), why };
    return report('project:created', all, {
      ...facts,
      questions: questions.length,
      ...(fallback !== null && { fallback }),
    });
  };

const timeToAnswer = ({ project }: ActivityContext): number =>
  (project.parameters['clarifyTimeoutMs'] as number | undefined) ?? TEN_MINUTES_MS;

const startMessage = (name: string): string => `QRALPH: Start ${name}`;
