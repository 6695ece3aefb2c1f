import type { ProjectTask } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { failedScenarioTasks } from '#team';
import type { Worktree } from '#workspace';
import { blockedBySetup } from './ask-person.js';
import { enterSetUp } from '../shared/enter.js';
import { sideBySide } from '../shared/side-by-side.js';
import { baselineOf, commitOf } from '../shared/work-parts.js';
import {
  type CodingParts,
  cutShortBy,
  listed,
  resolvedBlock,
  scenariosOf,
  tasksOf,
  unblocked,
} from './coding-context.js';
import { blockWith } from './block-screen.js';
import { type ContextPatch, contextOf, patchOf } from './context.js';
import { listLines, listRulings } from './screen-lines.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { commitOfPerson } from './left-by-person.js';
import { leftOut } from './left-out.js';
import { stoppedByOrphans } from './orphans.js';
import { prove } from './prove.js';
import { putBack } from './put-back.js';
import { plannedScenarios } from './plan-scenarios.js';
import { writeAcceptance } from './readable/write-pages.js';
import { isLeftOutByPerson, isUndecided, type Scenario, withFeedback } from './scenario.js';
import { standing } from './scenario-standing.js';
import { tried } from './try-scenario.js';
import { whyBeforeCompletion } from './why-asked.js';

/** UAT: scenarios are written, then tried one a visit, by agents that did not write the code; then the result counts. */
export const accept =
  (parts: CodingParts): Activity =>
  async (activity) => {
    // A person went on with the rest: what is not done is left out before anything that could fail.
    const rest = await leftOut(parts, activity);
    if (rest) return report('uat:continues', rest, { decision: 'proceed' });
    const entered = enterSetUp(parts, activity);
    const [{ worktree, failed }, stopped] = await sideBySide(entered, stoppedByOrphans(parts, activity));
    if (failed) return blockedBySetup(activity, failed);
    if (cutShortBy(activity) !== null) await putBack(parts, activity, worktree);
    const halted = stopped ?? (await provenAnew(parts, activity, worktree));
    if (halted) return halted;
    // A commit has one tree for ever: nothing about it has to be in the journal.
    const tree = await parts.worktrees.tree(worktree, commitOf(activity) ?? worktree.baseCommit);
    const before = withFeedback(scenariosOf(activity), tasksOf(activity));
    if (scenariosOf(activity).length === 0) return plannedScenarios(parts, activity, worktree);
    const scenarios = standing(activity, before, tree);
    const next = scenarios.find(({ verdict }) => verdict === 'open');
    if (!next) return judged(parts, activity, scenarios);
    return tried(parts, activity, { worktree, tree, scenarios, scenario: next });
  };

/**
 * Judges the result again if a person changed it at a block, or went on without a part of it. In the second case the
 * person has consented to any result. All scenarios are tried again, because the tree is another one.
 */
async function provenAnew(parts: CodingParts, activity: ActivityContext, worktree: Worktree): Promise<Report | null> {
  const baseline = baselineOf(activity);
  if (!baseline) return null;
  const event = 'uat:continues';
  const isConsented = contextOf(activity).needsProof === true;
  if (isConsented) return prove(parts, activity, worktree, baseline, { event, isConsented, canHeal: false });
  const left = resolvedBlock(activity);
  if (!left) return null;
  const isChanged = left.cause === 'unproven' || (await commitOfPerson(parts, activity, worktree)) !== null;
  return isChanged ? prove(parts, activity, worktree, baseline, { event, canHeal: false }) : null;
}

async function judged(parts: CodingParts, activity: ActivityContext, scenarios: readonly Scenario[]): Promise<Report> {
  await writeAcceptance(parts, activity, scenarios);
  const count = (verdict: Scenario['verdict']): number => scenarios.filter((one) => one.verdict === verdict).length;
  const counts: JsonObject = {
    passed: count('passed'),
    failed: count('failed'),
    skipped: scenarios.filter(isLeftOutByPerson).length,
    undecided: scenarios.filter(isUndecided).length,
  };
  const failures = scenarios.filter(({ verdict }) => verdict === 'failed');
  if (failures.length === 0) {
    const patch = {
      ...unblocked,
      scenarios: listed(scenarios),
      tasks: listed(withoutStale(activity)),
      isAccepted: true,
      isWhollyAccepted: !scenarios.some(isLeftOutByPerson),
      why: whyBeforeCompletion(activity.context, {
        request: activity.project.request,
        scenarios,
        tasks: withoutStale(activity),
        proof: contextOf(activity).proof ?? null,
      }),
    };
    return report('uat:passed', patch, counts);
  }
  const lacking = failures.map((scenario) => ({
    title: `${scenario.id} ${scenario.title}`,
    detail: describeFailure(scenario),
  }));
  const before = withoutStale(activity);
  const tasks = [...before, ...failedScenarioTasks(lacking, before)];
  const known = { scenarios: listed(scenarios), tasks: listed(tasks), decision: null };
  // After the last round the next state is BLOCKED. A person reads this there.
  const block = blockByScenarios(withPatchedContext(activity, known), failures);
  return report('uat:failed', { ...known, ...patchOf(block) }, counts);
}

const LONGEST_FAILURE = 1_000;

function blockByScenarios(
  activity: ActivityContext,
  failures: readonly Scenario[],
): Pick<ContextPatch, 'block' | 'why'> {
  const names = failures.map(({ id, title }) => `${id} ${title}`).join('; ');
  const fails =
    failures.length === 1 ? '1 acceptance scenario fails' : `${String(failures.length)} acceptance scenarios fail`;
  const seen = failures.map(({ id, title, because }) => `${id} ${title}: ${because}`);
  const sections = [listLines('What was seen', seen, '', LONGEST_FAILURE), ...listRulings(failures)];
  return blockWith(activity, { cause: 'uat', message: `${fails}: ${names}.` }, { sections });
}

/** What the implementer has to know: what must hold, the command that decides, and what it printed. */
const describeFailure = ({ steps, because, command, evidence }: Scenario): string =>
  [
    steps,
    because,
    ...(evidence || command ? [`$ ${evidence?.command ?? command ?? ''}`] : []),
    ...(evidence ? [`exit code ${String(evidence.exitCode)}\n${evidence.output}`] : []),
  ].join('\n\n');

/** Tasks of a round that ended at a block instead of being carried out: its scenarios have been tried again. */
const withoutStale = (activity: ActivityContext): readonly ProjectTask[] =>
  tasksOf(activity).map((task) =>
    task.kind === 'scenario' && task.status === 'pending'
      ? { ...task, status: 'skipped' as const, note: 'its scenario was tried again' }
      : task,
  );
