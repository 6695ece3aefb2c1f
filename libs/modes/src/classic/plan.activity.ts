import { type Activity, type ActivityContext, report } from '#engine';
import type { Json, JsonObject } from '#kernel';
import { enter } from '../shared/enter.js';
import { joinedFeedback } from '../shared/feedback-room.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import { shownAtGate } from '../shared/shown-at-gate.js';
import { codingOrderOf, type CodingParts, LIMITS } from '../coding/coding-context.js';
import { seatTeam } from '../coding/discover.activity.js';
import { feedbackOf } from '../coding/notes.js';
import { write } from '../coding/readable/write-pages.js';
import { runAgent, simulatedBy, stoppedBy } from '../coding/run-agent.js';
import { PlanOutput, planPrompt } from './classic.prompt.js';
import { plannedPages } from './planned-pages.js';
import { questionsIn, settled, settledWords } from './questions.js';

export const PLANNER = 'planner';
/** Classic mode always seats five. */
export const CLASSIC_TEAM = { min: 5, max: 5 } as const;

/** PLANNING: what is open is settled, five reviewers are chosen, and the plan is written for a person to approve. */
export const plan =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const worktree = await enter(parts, activity);
    const besides = remarkOf(activity);
    const assumptions = settledWords(settled(questionsIn(activity.context), answersOf(activity)), besides);
    const { patch: team, agents } = await seatTeam(parts, activity, CLASSIC_TEAM);
    const startCommit = commitOf(activity) ?? worktree.baseCommit;
    const before = (activity.context['plan'] as PlanOutput | undefined) ?? null;
    const feedback = [...feedbackOf(activity)];
    const outcome = await runAgent(parts, activity, { worktree, startCommit }, {
      step: PLANNER,
      role: PLANNER,
      purpose: 'plan',
      attempt: 1,
      tier: codingOrderOf(activity).tier,
      prompt: planPrompt,
      input: {
        request: activity.project.request,
        settled: assumptions,
        team: agents,
        memories: (team['memories'] as readonly string[] | undefined) ?? [],
        feedback: joinedFeedback(feedback),
        before: before === null ? '' : JSON.stringify(before, null, 2),
      },
      access: 'read',
      output: { name: 'plan', type: PlanOutput },
      limits: LIMITS.plan,
    }); // prettier-ignore
    const known: JsonObject = {
      assumptions,
      answers: answersOf(activity),
      remark: besides,
      feedback,
      decision: null,
    };
    // Without a plan there is no team either: a block that is put off must not lead past the person who approves it.
    if (outcome.kind !== 'finished') return stoppedBy(activity, outcome, { ...known, team: null }, null);
    const written = PlanOutput.parse(outcome.output);
    const made: JsonObject = { ...team, ...known, ...simulatedBy(outcome), plan: asJson(written) };
    const pages = plannedPages({ project: activity.project, context: { ...activity.context, ...made } });
    await write(parts, activity, 'plan-pages', () => Promise.resolve(pages));
    const page = pages.find(([name]) => name === 'PLAN.md');
    const patch = { ...made, why: page ? shownAtGate(page) : null };
    return report('plan:ready', patch, { steps: written.steps.length, agents: [...agents] });
  };

interface Decision {
  readonly gate?: string;
  readonly answers?: Json;
  readonly feedback?: string;
}

const decisionOf = ({ context }: ActivityContext): Decision =>
  (context['decision'] as Decision | null | undefined) ?? {};

/** Answers are given once; a plan that is revised later keeps them. */
function answersOf(activity: ActivityContext): Json {
  const { gate, answers = null } = decisionOf(activity);
  return gate === 'clarify' ? answers : (activity.context['answers'] ?? null);
}

const LONGEST_REMARK = 4_000;

/** What a person said beside the answers. */
function remarkOf(activity: ActivityContext): string {
  const { gate, feedback = '' } = decisionOf(activity);
  if (gate === 'clarify') return feedback.trim().slice(0, LONGEST_REMARK);
  return (activity.context['remark'] as string | undefined) ?? '';
}
