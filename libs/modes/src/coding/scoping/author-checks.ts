import type { AgentOutcome } from '#agents';
import type { ActivityContext } from '#engine';
import { assertNever } from '#kernel';
import type { Tier } from '#models';
import type { RunKind } from '#proof';
import type { Worktree } from '#workspace';
import { describeVerification } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { baselineOf, commitOf } from '../../shared/work-parts.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf, type ContextPatch } from '../context.js';
import { settledNotes } from '../notes.js';
import { kindOfCheckReport, treeOfCheck } from '../proof/run-check.js';
import { putBack, withoutTrace } from '../put-back.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { ChecksOutput, checksPrompt } from './checks.prompt.js';
import type { Check, RequestPlan } from './request-plan.js';

export const CHECK_AUTHOR = 'check-author';

/** The second author is of a larger tier, and knows why the first one's checks were refused. */
const TIERS: readonly Tier[] = ['medium', 'large'];
const MOST_FILES = 20;
const LONGEST_FILE = 64_000;
/** Of all files together: each check carries them, and each checkpoint carries the checks. */
const LONGEST_FILES = 128_000;
const LONGEST_COMMAND = 2_000;

export type Authored =
  { readonly kind: 'done'; readonly patch: ContextPatch } | { readonly kind: 'stopped'; readonly outcome: Unfinished };

/**
 * Parts of a request that no failing test of the baseline covers. A flaky test covers nothing. Only a change of
 * behaviour needs checks.
 */
export function partsWithoutCheck(
  { class: kind, parts }: RequestPlan,
  checks: readonly Check[] = [],
  flaky: readonly string[] = [],
): readonly number[] {
  if (kind !== 'behaviour') return [];
  return parts.flatMap(({ failingTests }, index) => {
    const hasTest = failingTests.some((name) => !flaky.includes(name));
    const hasCheck = checks.some(({ part, dropped }) => part === index + 1 && dropped === null);
    return hasTest || hasCheck ? [] : [index + 1];
  });
}

/** Checks that an agent writes from the request, before the first change. Each must fail on the base. */
export async function authorChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  plan: RequestPlan,
  startCommit = commitOf(activity) ?? worktree.baseCommit,
): Promise<Authored> {
  const { checks: known = [], flakyTests } = contextOf(activity);
  const checks: Check[] = [...known];
  let refusal = '';
  let simulated = {};
  for (const [index, tier] of TIERS.entries()) {
    const needed = partsWithoutCheck(plan, checks, flakyTests);
    if (needed.length === 0) break;
    const step = `${CHECK_AUTHOR}-${String(index + 1)}`;
    const outcome = await askAuthor(parts, activity, worktree, { plan, needed, tier, refusal, step, startCommit });
    const stop = stopOf(outcome);
    if (stop) {
      const left = { to: startCommit, step: `${step}/put-back` };
      return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
    }
    simulated = { ...simulated, ...simulatedBy(outcome) };
    const written = await readChecks(parts, activity, worktree, { outcome, needed, step, startCommit });
    await putBack(parts, activity, worktree, { to: startCommit, step: `${step}/put-back` });
    const judged = await judgeOnBase(parts, activity, worktree, written.checks, step);
    for (const { check } of judged.taken)
      checks.push({ ...check, id: `C-${String(checks.length + 1).padStart(3, '0')}` });
    refusal = [written.refusal, ...judged.refused].filter((words) => words !== '').join('\n\n');
  }
  return { kind: 'done', patch: { checks, ...simulated } };
}

/** A check that was ruled wrong, written again by its author on the result. Null if no usable check came of it. */
export async function rewriteCheck(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  {
    plan,
    check,
    commit,
    why,
  }: { readonly plan: RequestPlan; readonly check: Check; readonly commit: string; readonly why: string },
): Promise<
  | { readonly kind: 'done'; readonly check: Omit<Check, 'id'> | null }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished }
> {
  const step = `${CHECK_AUTHOR}/${check.id}`;
  const sources = check.files.map(({ path, content }) => `--- ${path}\n${content}`).join('\n');
  const refusal = [
    `Another agent ruled that your check is wrong: ${why}`,
    'The change exists now, in this checkout. Adapt the check to the names that the change introduced, not to its behaviour.',
    'The check must still fail without the change.',
    `Your check: ${check.title}\n$ ${check.command}\n${sources}`,
  ].join('\n\n');
  const wish = { plan, needed: [check.part], tier: 'large', refusal, step, startCommit: commit } as const;
  const outcome = await askAuthor(parts, activity, worktree, wish);
  const stop = stopOf(outcome);
  if (stop) {
    const left = { to: commit, step: `${step}/put-back` };
    return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
  }
  const written = await readChecks(parts, activity, worktree, {
    outcome,
    needed: [check.part],
    step,
    startCommit: commit,
  });
  await putBack(parts, activity, worktree, { to: commit, step: `${step}/put-back` });
  const { taken } = await judgeOnBase(parts, activity, worktree, written.checks, step);
  return { kind: 'done', check: taken[0]?.check ?? null };
}

interface Asked {
  readonly plan: RequestPlan;
  readonly needed: readonly number[];
  readonly tier: Tier;
  readonly refusal: string;
  readonly step: string;
  readonly startCommit: string;
}

function askAuthor(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { plan, needed, tier, refusal, step, startCommit }: Asked,
): Promise<AgentOutcome> {
  const baseline = baselineOf(activity);
  return runAgent(
    parts,
    activity,
    { worktree, startCommit },
    {
      step,
      role: CHECK_AUTHOR,
      purpose: 'write-checks',
      attempt: 1,
      tier,
      prompt: checksPrompt,
      input: {
        request: activity.project.request,
        settled: settledNotes(activity),
        parts: needed.flatMap((number) => {
          const part = plan.parts[number - 1];
          return part ? [{ number, part }] : [];
        }),
        verify: baseline ? describeVerification(baseline) : '',
        map: contextOf(activity).repositoryMap ?? '',
        refusal,
      },
      access: 'write',
      output: { name: 'checks', type: ChecksOutput },
      limits: LIMITS.test,
    },
  );
}

type NewCheck = Omit<Check, 'id' | 'red'>;

interface Written {
  readonly checks: readonly NewCheck[];
  readonly refusal: string;
}

/** The files of a check are what its author added to the worktree; what it changed there does not count. */
async function readChecks(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  given: {
    readonly outcome: AgentOutcome;
    readonly needed: readonly number[];
    readonly step: string;
    readonly startCommit: string;
  },
): Promise<Written> {
  const { outcome, needed, step, startCommit } = given;
  if (outcome.kind !== 'finished') {
    return { checks: [], refusal: 'message' in outcome ? outcome.message : 'The author did not finish.' };
  }
  const read = ChecksOutput.safeParse(outcome.output);
  if (!read.success) return { checks: [], refusal: 'The answer did not fit its schema.' };
  const files = await repeatable(activity, `${step}/files`, async () => {
    const { files: changed } = await worktrees.diff(worktree, startCommit, outcome.commit);
    const added = changed.filter(({ status }) => status === 'added').slice(0, MOST_FILES);
    const found: { path: string; content: string }[] = [];
    let bytes = 0;
    for (const { path } of added) {
      const file = await worktrees.fileAt(worktree, outcome.commit, path);
      if (!file || file.isCut || file.bytes > LONGEST_FILE || bytes + file.bytes > LONGEST_FILES) continue;
      bytes += file.bytes;
      found.push({ path, content: file.content.toString('utf8') });
    }
    return found;
  });
  const usable = read.data.checks.filter(({ part }) => needed.includes(part));
  return {
    checks: usable.flatMap(({ part, title, command }) =>
      command === null || command.trim() === '' || command.length > LONGEST_COMMAND
        ? []
        : [{ part, title: title.slice(0, 300), command, files, isAdapted: false, dropped: null }],
    ),
    refusal: usable
      .filter(({ command }) => command === null)
      .map(({ part, why }) => `Part ${String(part)} has no command: ${why.slice(0, 500)}`)
      .join('\n'),
  };
}

interface OnBase {
  readonly taken: readonly { readonly check: NewCheck & Pick<Check, 'red'> }[];
  readonly refused: readonly string[];
}

/** Each check runs twice on the base. It is taken if it fails both times, for a reason that proves something. */
async function judgeOnBase(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  checks: readonly NewCheck[],
  prefix: string,
): Promise<OnBase> {
  const taken: { check: NewCheck & Pick<Check, 'red'> }[] = [];
  const refused: string[] = [];
  for (const [index, check] of checks.entries()) {
    const step = `${prefix}/on-base-${String(index + 1)}`;
    const { runs, output } = await runTwice(parts, activity, worktree, check, { commit: worktree.baseCommit, step });
    const red = redOf(runs);
    if (typeof red === 'string') refused.push(`${check.title}\n$ ${check.command}\n${red}\n${output.slice(-1_500)}`);
    else taken.push({ check: { ...check, red } });
  }
  return { taken, refused };
}

/** How a check fails on the base, or why that proves nothing. */
function redOf([first, second]: readonly RunKind[]): Check['red'] | string {
  if (!first || !second) return 'It was not run.';
  if (first.kind !== second.kind) return 'It fails and passes on the same files: it is flaky.';
  switch (first.kind) {
    case 'green':
      return 'It passes before the change, so it proves nothing.';
    case 'broken':
      return `It fails for a reason that proves nothing: ${first.reason}`;
    case 'assertion':
      return { kind: 'assertion' };
    case 'absent':
      return { kind: 'absent', missing: [...first.missing] };
    default:
      return assertNever(first);
  }
}

/** Two runs of a check on one commit. */
async function runTwice(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { command, files }: Pick<Check, 'command' | 'files'>,
  { commit, step }: { readonly commit: string; readonly step: string },
): Promise<{ readonly runs: readonly RunKind[]; readonly output: string }> {
  const run = (nth: number) =>
    runInCleanRoom(parts, activity, worktree, {
      tree: treeOfCheck({ commit }, { files }),
      commands: [command],
      step: `${step}/${String(nth)}`,
    });
  const first = await run(1);
  const second = await run(2);
  const output = first.commands[0]?.output ?? first.reason;
  return { runs: [kindOfCheckReport(first), kindOfCheckReport(second)], output };
}
