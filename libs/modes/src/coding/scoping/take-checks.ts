import type { AgentOutcome } from '#agents';
import type { ActivityContext } from '#engine';
import { assertNever } from '#kernel';
import type { RunKind } from '#proof';
import type { Worktree } from '#workspace';
import { countsTests } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { kindOfCheckReport, treeOfCheck } from '../proof/run-check.js';
import { sideBySide } from '../../shared/side-by-side.js';
import { putBack } from '../put-back.js';
import { ChecksOutput } from './checks.prompt.js';
import { findMissingFiles, findWrongImport } from './missing-files.js';
import type { Check } from './request-plan.js';

const MOST_FILES = 20;
const LONGEST_FILE = 64_000;
/** Of all files together: each check carries them, and each checkpoint carries the checks. */
const LONGEST_FILES = 128_000;
const LONGEST_COMMAND = 2_000;
const MOST_NAMED = 50;

interface HandedIn {
  /** How the agent ended that wrote the checks. */
  readonly outcome: AgentOutcome;
  /** Numbers of the parts that need a check. */
  readonly needed: readonly number[];
  readonly step: string;
  readonly startCommit: string;
}

export interface TakenChecks {
  readonly taken: readonly Omit<Check, 'id'>[];
  /** Checks that pass before the change. They prove nothing by themselves. */
  readonly green: readonly Omit<Check, 'id' | 'red'>[];
  /** Numbers of parts of which the author says that no command can tell. */
  readonly untold: readonly number[];
  /** Why other checks were not taken; empty if all were. */
  readonly refusal: string;
}

/** The checks of an answer that fail on the base. The files of the worktree are those of the start commit again. */
export async function takeChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  handedIn: HandedIn,
): Promise<TakenChecks> {
  const { step, startCommit } = handedIn;
  const written = await readChecks(parts, activity, worktree, handedIn);
  const [{ taken, green, refused }] = await sideBySide(
    judgeOnBase(parts, activity, worktree, written, step),
    putBack(parts, activity, worktree, { to: startCommit, step: `${step}/put-back` }),
  );
  const refusal = [written.refusal, ...refused].filter((words) => words !== '').join('\n\n');
  return { taken, green, untold: written.untold, refusal };
}

/** Gives new checks the ids after those that exist. */
export const numberChecks = (checks: readonly Omit<Check, 'id'>[], known: number): readonly Check[] =>
  checks.map((check, index) => ({ ...check, id: `C-${String(known + index + 1).padStart(3, '0')}` }));

type NewCheck = Omit<Check, 'id' | 'red' | 'hasTests'>;

/** A worktree whose agent writes checks: the implementer must not find them in the history. */
export const hidingChecks = (worktree: Worktree): Worktree => ({ ...worktree, hidesSnapshots: true });

interface Written {
  readonly checks: readonly NewCheck[];
  /** Files that its author names, and that neither a check nor the start commit has. */
  readonly unkept: readonly string[];
  readonly untold: readonly number[];
  readonly refusal: string;
}

const NONE = { checks: [], unkept: [], untold: [] } as const;

/** The files of a check are what its author added to the worktree; what it changed there does not count. */
async function readChecks(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { outcome, needed, step, startCommit }: HandedIn,
): Promise<Written> {
  if (outcome.kind !== 'finished') {
    return { ...NONE, refusal: 'message' in outcome ? outcome.message : 'The author did not finish.' };
  }
  const read = ChecksOutput.safeParse(outcome.output);
  if (!read.success) return { ...NONE, refusal: 'The answer did not fit its schema.' };
  const usable = read.data.checks.filter(({ part }) => needed.includes(part));
  const hiding = hidingChecks(worktree);
  const { files, unkept } = await repeatable(activity, `${step}/kept-files`, async () => {
    const { files: changed } = await worktrees.diff(hiding, startCommit, outcome.commit);
    const added = changed.filter(({ status }) => status === 'added').slice(0, MOST_FILES);
    const found: { path: string; content: string }[] = [];
    let bytes = 0;
    for (const { path } of added) {
      const file = await worktrees.fileAt(hiding, outcome.commit, path);
      if (!file || file.isCut || file.bytes > LONGEST_FILE || bytes + file.bytes > LONGEST_FILES) continue;
      bytes += file.bytes;
      found.push({ path, content: file.content.toString('utf8') });
    }
    const named = new Set(usable.flatMap((check) => check.files.map((path) => path.replace(/^(?:\.\/)+/, ''))));
    const lacking: string[] = [];
    for (const path of [...named].filter((one) => !found.some((file) => file.path === one)).slice(0, MOST_NAMED)) {
      if ((await worktrees.fileAt(worktree, startCommit, path)) === null) lacking.push(path);
    }
    return { files: found, unkept: lacking };
  });
  const told = usable.filter(({ command }) => command !== null).map(({ part }) => part);
  const silent = usable.filter(({ command }) => command === null);
  return {
    unkept,
    untold: silent.map(({ part }) => part).filter((part) => !told.includes(part)),
    checks: usable.flatMap(({ part, title, command }) =>
      command === null || command.trim() === '' || command.length > LONGEST_COMMAND
        ? []
        : [{ part, title: title.slice(0, 300), command, files, isAdapted: false, dropped: null }],
    ),
    refusal: silent.map(({ part, why }) => `Part ${String(part)} has no command: ${why.slice(0, 500)}`).join('\n'),
  };
}

interface OnBase {
  readonly taken: readonly Omit<Check, 'id'>[];
  readonly green: TakenChecks['green'];
  readonly refused: readonly string[];
}

/** Each check runs twice on the base. It is taken if it fails both times, for a reason that proves something. */
async function judgeOnBase(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { checks, unkept }: Pick<Written, 'checks' | 'unkept'>,
  prefix: string,
): Promise<OnBase> {
  const taken: Omit<Check, 'id'>[] = [];
  const green: TakenChecks['green'][number][] = [];
  const refused: string[] = [];
  for (const [index, check] of checks.entries()) {
    const step = `${prefix}/on-base-${String(index + 1)}`;
    const { runs, output, hasTests } = await runTwice(parts, activity, worktree, check, {
      commit: worktree.baseCommit,
      step,
    });
    const red = lacksFiles(check, unkept, runs) ?? redOf(runs);
    const counted = { ...check, ...(hasTests && { hasTests }) };
    if (typeof red === 'string') refused.push(`${check.title}\n$ ${check.command}\n${red}\n${output.slice(-1_500)}`);
    else taken.push({ ...counted, red });
    if (runs.every(({ kind }) => kind === 'green')) green.push(counted);
  }
  return { taken, green, refused };
}

/** Why a check could pass on no result: one of its own files is not there. */
function lacksFiles(check: NewCheck, unkept: readonly string[], runs: readonly RunKind[]): string | null {
  const missing = runs.flatMap((run) => (run.kind === 'absent' ? run.missing : []));
  const wrongImport = findWrongImport({ check, missing, unkept });
  if (wrongImport !== null) return wrongImport;
  const files = findMissingFiles({ check, missing, unkept });
  if (files.length === 0) return null;
  return `A file of the check is missing: ${files.join(', ')}. Write it as a new file, below ${String(LONGEST_FILE)} characters (${String(LONGEST_FILES)} in all checks together), and hand in at most ${String(MOST_FILES)} files.`;
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
): Promise<{ readonly runs: readonly RunKind[]; readonly output: string; readonly hasTests: boolean }> {
  const run = (nth: number) =>
    runInCleanRoom(parts, activity, worktree, {
      tree: treeOfCheck({ commit }, { files }),
      commands: [command],
      step: `${step}/${String(nth)}`,
    });
  const first = await run(1);
  const second = await run(2);
  const output = first.commands[0]?.output ?? first.reason;
  const hasTests = countsTests(first) && countsTests(second);
  return { runs: [kindOfCheckReport(first), kindOfCheckReport(second)], output, hasTests };
}
