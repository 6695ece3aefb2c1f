import type { AgentOutcome, AgentTask } from '#agents';
import { type Activity, type ActivityContext, type Report, report, waitFor } from '#engine';
import { assertNever, type Json, type JsonObject, UserError } from '#kernel';
import type { Tier } from '#models';
import { tierOf } from '#self-heal';
import type { Worktree } from '#workspace';
import { shortenDiff } from '../coding/shorten-patch.js';
import { beginRevision, healsOf } from './revision.js';
import { errandContextOf, errandPatchOf } from './context.js';
import { errandPrompt, type ErrandStart, inputOf, ROLE } from './prompt.js';
import { blocked, blockedBySetup } from '../coding/ask-person.js';
import { describeStop } from '../coding/describe-stop.js';
import { neverBetween } from '../coding/never-between.js';
import { isOutage } from '../coding/run-agent.js';
import { readTaskOutput, TaskOutput } from '../coding/work-task.js';
import { acceptText } from '../shared/accept-text.js';
import { enterSetUp } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { repeatable } from '../shared/repeatable.js';
import { runPersistently } from '../shared/run-persistently.js';
import { asJson, commitOf, orderOf, shown, type WorkParts } from '../shared/work-parts.js';

const MAX_OUTPUT_TOKENS = 16_000;
const LONGEST_CLAIM = 2_000;

/**
 * The agent at its work. Each visit is a new attempt, and a new conversation that knows what went wrong before. One that
 * runs out of its limits is continued by fresh conversations before a person is asked.
 */
export const work =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const revision = beginRevision(activity);
    return withRevision(await attempt(parts, withPatchedContext(activity, revision)), revision);
  };

/** However the visit ends, the revision has begun. */
const withRevision = (given: Report, revision: JsonObject): Report =>
  given.kind === 'event' ? { ...given, patch: { ...revision, ...given.patch } } : given;

async function attempt(parts: WorkParts, activity: ActivityContext): Promise<Report> {
  const { workshop, runtimes } = parts;
  const { worktree, failed } = await enterSetUp(parts, activity);
  if (failed) return blockedBySetup(activity, failed);
  const runtime = runtimes.get(orderOf(activity).runtime);
  if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${orderOf(activity).runtime}`);
  const { startCommit, ...start } = await startOf(parts, activity, worktree);
  const sandbox = workshop.sandbox(orderOf(activity));
  const scene = { activity, worktree, startCommit, sandbox };
  const outcome = acceptText(await runPersistently(parts, runtime, taskOf(activity, start), scene));
  const known = {
    earlierHeals: earlierHealsWith(activity, start),
    ...errandPatchOf({ neverHealed: await findNeverHealed(parts, activity, worktree, outcome) }),
  };
  return reported(outcome, activity, (commit) => ({ ...shown(worktree, commit), ...known }));
}

/** Failed heals in a row after which the work begins again from the base. */
const ROLLBACK_AFTER = 3;

/** Where a heal starts: at the first attempt's files, whatever other heals did; after three failures, at the base. */
function startOfHeal(activity: ActivityContext, { baseCommit }: Worktree): string | null {
  const heals = healsOf(activity);
  const first = errandContextOf(activity).firstCommit;
  if (heals === 0 || first === undefined) return null;
  return heals > ROLLBACK_AFTER ? baseCommit : first;
}

/** Whether the heal changed what only a person may change. Its files are judged as they are; then a person decides. */
async function findNeverHealed(
  parts: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  outcome: AgentOutcome,
): Promise<{ readonly why: string; readonly startCommit: string } | null> {
  const startCommit = startOfHeal(activity, worktree);
  const isJudged = outcome.kind === 'finished' || (outcome.kind === 'failed' && !isOutage(outcome));
  if (startCommit === null || !isJudged) return null;
  const why = await neverBetween(parts, activity, worktree, startCommit, outcome.commit);
  return why === null ? null : { why, startCommit };
}

async function startOf(
  { worktrees }: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<ErrandStart & { readonly startCommit: string }> {
  const last = commitOf(activity) ?? (await worktrees.head(worktree));
  // Whoever sends a heal back that only a person may accept has not accepted it. Any other revision, and an attempt that
  // was cut short, go on from the files as they are.
  const refused = healsOf(activity) === 0 ? (errandContextOf(activity).neverHealed?.startCommit ?? null) : null;
  const isCutShort = errandContextOf(activity).isCutShort === true;
  const startCommit = isCutShort ? null : (refused ?? startOfHeal(activity, worktree));
  if (startCommit === null) {
    const diffs = await readDiffs(worktrees, activity, worktree, { startCommit: last, last });
    return { startCommit: last, isRolledBack: false, ...diffs };
  }
  await repeatable(activity, 'start', () => worktrees.reset(worktree, startCommit));
  const diffs = await readDiffs(worktrees, activity, worktree, { startCommit, last });
  return { startCommit, isRolledBack: startCommit === worktree.baseCommit, ...diffs };
}

const LONGEST_DIFF = 12_000;

/** The first attempt starts from the base: there is nothing to show. */
async function readDiffs(
  worktrees: WorkParts['worktrees'],
  activity: ActivityContext,
  worktree: Worktree,
  { startCommit, last }: { readonly startCommit: string; readonly last: string },
): Promise<Pick<ErrandStart, 'diff' | 'lostDiff'>> {
  const { baseCommit } = worktree;
  if (startCommit === baseCommit && last === baseCommit) return { diff: '', lostDiff: '' };
  const between = async (from: string, to: string): Promise<string> =>
    from === to ? '' : shortenDiff(await worktrees.diff(worktree, from, to), LONGEST_DIFF);
  return repeatable(activity, 'diffs-so-far', async () => ({
    diff: await between(baseCommit, startCommit),
    lostDiff: await between(startCommit, last),
  }));
}

/** The first attempt is by the tier that was asked for; heals climb the ladder. */
function tierOfAttempt(activity: ActivityContext): Tier {
  const heals = healsOf(activity);
  return heals === 0 ? orderOf(activity).tier : (tierOf(heals) ?? 'large');
}

const MOST_HEALS = 4;

/** With the last heal, whose change is in the files no more. The first attempt is no heal: its change stays. */
function earlierHealsWith(activity: ActivityContext, { lostDiff }: ErrandStart): Json[] {
  const { said, doubt, doubtOutput, attempt, earlierHeals: known = [] } = errandContextOf(activity);
  if (healsOf(activity) < 2 || lostDiff === '') return known.map(asJson);
  const last = {
    number: attempt ?? known.length + 1,
    tried: (said ?? '').slice(0, 1_000),
    why: (doubt ?? '').slice(0, 1_000),
    diff: lostDiff.slice(0, 4_000),
    output: (doubtOutput ?? '').slice(0, 4_000),
  };
  return [...known, last].slice(-MOST_HEALS).map(asJson);
}

function taskOf(activity: ActivityContext, start: ErrandStart): AgentTask {
  const { models, turns, minutes } = orderOf(activity);
  return {
    step: ROLE,
    role: ROLE,
    purpose: 'errand',
    attempt: attemptOf(activity),
    tier: tierOfAttempt(activity),
    ...(models && { models }),
    promptVersion: errandPrompt.version,
    system: errandPrompt.system,
    prompt: errandPrompt.render(inputOf(activity, start)),
    access: 'write',
    mayRun: true,
    ...(mayDisputeCheck(activity) && { output: { name: 'work', type: TaskOutput } }),
    limits: { turns, wallMs: minutes * 60_000, maxOutputTokens: MAX_OUTPUT_TOKENS },
  };
}

/** An agent that was shown a failed check may say that the check is wrong. Others answer in free text. */
const mayDisputeCheck = (activity: ActivityContext): boolean => errandContextOf(activity).hasRedCheck === true;

const attemptOf = (activity: ActivityContext): number => (errandContextOf(activity).attempt ?? 0) + 1;

function reported(outcome: AgentOutcome, activity: ActivityContext, seen: (commit: string) => JsonObject): Report {
  /** What the attempt leaves to whatever comes next, however it ended. */
  const left = (ended: { readonly commit: string; readonly isSimulated: boolean }): JsonObject => ({
    ...seen(ended.commit),
    ...simulated(ended),
    attempt: attemptOf(activity),
  });
  switch (outcome.kind) {
    case 'waits':
      return waitFor(outcome.ms, outcome.reason, outcome.words);
    case 'over-budget':
      return blocked(activity, describeStop(activity, outcome), { ...left(outcome), isCutShort: true });
    case 'failed':
      // A heal that came to no end counts as an attempt: its files are judged, and the next tier has its turn.
      if (healsOf(activity) > 0 && !isOutage(outcome)) {
        const said = `${outcome.code}: ${outcome.message}\n${outcome.said}`;
        const ended = errandPatchOf({ wrongCheck: null, said, block: null, isCutShort: false });
        return report('work:done', { ...left(outcome), ...ended });
      }
      return blocked(activity, describeStop(activity, outcome), { ...left(outcome), isCutShort: true });
    case 'finished': {
      const { turns } = outcome;
      const { summary: said, wrongCheck = null } = readTaskOutput(outcome.output, outcome.text);
      // Heals start from here, also those of a revision.
      const { firstCommit = outcome.commit } = healsOf(activity) === 0 ? {} : errandContextOf(activity);
      const claim = wrongCheck === null ? null : wrongCheck.slice(0, LONGEST_CLAIM);
      const done = errandPatchOf({
        wrongCheck: mayDisputeCheck(activity) ? claim : null,
        said,
        firstCommit,
        block: null,
        isCutShort: false,
      });
      return report('work:done', { ...left(outcome), ...done }, { turns, ...simulated(outcome) });
    }
    default:
      return assertNever(outcome);
  }
}

const simulated = ({ isSimulated }: { readonly isSimulated: boolean }): { simulated?: true } =>
  isSimulated ? { simulated: true } : {};
