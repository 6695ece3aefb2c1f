import type { ActivityContext, EffectRun, SettleRule } from '#engine';
import { type JsonObject, WorldError } from '#kernel';
import { type Sandbox, testsRun, type VerifyReport, type WorkspaceOrder, type Worktree } from '#workspace';
import { commandMs, isAfterBlock } from '../shared/verification.js';
import { orderOf } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';
import type { Evidence } from './scenario.js';

const LONGEST_OUTPUT = 4_000;

interface Wish {
  readonly worktree: Worktree;
  /** What it runs on, and the tree of that. */
  readonly commit: string;
  readonly tree: string;
  readonly command: string;
  readonly step: string;
  /** That tells of it. */
  readonly event: string;
  /** The worktree is at another commit. */
  readonly isElsewhere?: boolean;
}

/** Run by the service in the sandbox, on one tree, whatever anybody claims. */
export async function ranByService(
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, commit, tree, command, step, event, isElsewhere = false }: Wish,
): Promise<Evidence> {
  const { workshop, worktrees } = parts;
  return activity.effect<Kept>({
    step,
    settle: settleRule(workshop.sandbox(orderOf(activity))),
    run: async (run) => {
      if (isElsewhere || run.attempt > 1 || isAfterBlock(activity)) await worktrees.reset(worktree, commit);
      const order = { ...orderOf(activity), verify: [command] };
      const commands = await onCommitAlone(parts, worktree, order, { commit, run, isElsewhere });
      const [done] = commands;
      const { exitCode = null, endedBy = 'nobody', output = '', counts = null } = done ?? {};
      run.tell(event, {
        command: command.slice(0, 500),
        exitCode,
        endedBy,
        tree,
        ms: commandMs({ commands }),
      });
      const tests = counts && { tests: { passed: counts.passed, failed: counts.failed } };
      return { command, exitCode, endedBy, output: output.slice(-LONGEST_OUTPUT), tree, ...tests };
    },
  });
}

/** Files of set-up that somebody changed are in no commit: they are set up again, and only what is said then counts. */
async function onCommitAlone(
  { workshop, worktrees }: CodingParts,
  worktree: Worktree,
  order: WorkspaceOrder,
  { commit, run, isElsewhere }: { readonly commit: string; readonly run: EffectRun; readonly isElsewhere: boolean },
): Promise<VerifyReport['commands']> {
  const once = async (): Promise<VerifyReport> => {
    const report = await workshop.verify(worktree, order, run);
    await worktrees.reset(worktree, commit);
    return report;
  };
  const { commands, changedDependencies } = await once();
  // What is set up is for the commit that the work goes on from, and not for one that is only looked at.
  if (!changedDependencies || isElsewhere) return commands;
  const again = await workshop.setUp(worktree, order, run);
  // Whoever comes back to this state sets up first, and asks a person where that fails.
  if (again.status === 'failed') throw new WorldError('SETUP_FAILED', again.reason);
  return (await once()).commands;
}

/** Evidence as the journal keeps it. */
type Kept = Evidence & JsonObject;

/** The command is a model's: what a run of it did that was cut off outside of a full sandbox, nobody knows. */
function settleRule({ guarantees: { hidesFiles, cutsNetwork } }: Sandbox): SettleRule<Kept> {
  if (hidesFiles && cutsNetwork) return { kind: 'repeat' };
  const question =
    'The command of a scenario, or of a check, was running outside of a full sandbox when its worker ended; nobody knows what it did. Run it again?';
  return { kind: 'ask', question, options: ['repeat'] };
}

/** A runner whose filter matches nothing exits with 0; so does a script that loses the exit code of its tests. */
export function doubtAboutTests(tests: NonNullable<Evidence['tests']>): string | null {
  if (testsRun({ ...tests, skipped: 0 }) === 0) return 'no test ran';
  return tests.failed > 0 ? `tests failed: ${String(tests.failed)}` : null;
}
