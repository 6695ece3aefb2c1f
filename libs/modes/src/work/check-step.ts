import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { goodOf } from '../coding/coding-context.js';
import type { Checked, CheckWish } from '../coding/manner.js';
import { doubtAboutTests, ranByService } from '../coding/run-evidence.js';
import type { Evidence } from '../coding/scenario.js';
import { repeatable } from '../shared/repeatable.js';
import { hollowDocument } from './hollow-document.js';
import { judgedByAgent } from './judge-step.js';
import { stepFor } from './step-for.js';
import { failed, held } from './verdicts.js';
import type { WorkModeParts, WorkStep } from './work-context.js';

const MOST_FILES = 200;

/**
 * The check that the plan states for a step. Something was changed, its document is there and says something; then its
 * command decides, which the service runs itself, or else an agent that did not write it, with quotes that are there.
 */
export const checkStep =
  (parts: WorkModeParts) =>
  async (activity: ActivityContext, worktree: Worktree, { task, commit }: CheckWish): Promise<Checked> => {
    const step = stepFor(activity, task);
    const from = goodOf(activity)?.commit ?? worktree.baseCommit;
    const files = await changedFiles(parts, activity, worktree, { from, to: commit, file: step.file });
    const lacking = await lackingIn(parts, activity, worktree, { step, commit, files });
    if (lacking !== null) return failed(step, lacking);
    const seen = { step, commit, files };
    return step.command === null
      ? judgedByAgent(parts, activity, worktree, seen)
      : judgedByCommand(parts, activity, worktree, { ...seen, command: step.command });
  };

/** What a step changed in all, without what tells of the project itself. */
const changedFiles = (
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to, file }: { readonly from: string; readonly to: string; readonly file: string | null },
): Promise<readonly string[]> =>
  repeatable(activity, 'changed', async () => {
    const { files } = await worktrees.diff(worktree, from, to);
    const own = files.filter(({ path }) => !path.startsWith('.qralph/'));
    const there = own.filter(({ status }) => status !== 'deleted');
    const paths = (there.length > 0 ? there : own).map(({ path }) => path);
    // Of many the document is among those that are looked at.
    return paths.toSorted((a, b) => Number(b === file) - Number(a === file)).slice(0, MOST_FILES);
  });

interface Looked {
  readonly step: WorkStep;
  readonly commit: string;
  readonly files: readonly string[];
}

/** What anybody can see is not there. */
async function lackingIn(
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, files }: Looked,
): Promise<string | null> {
  if (files.length === 0) return 'it is said to be done, and nothing was changed';
  const { file } = step;
  if (file === null) return null;
  const hollow = await repeatable(activity, 'document', async () => {
    const found = await worktrees.fileAt(worktree, commit, file);
    return found === null ? 'it is not there' : hollowDocument(found.text);
  });
  if (hollow !== null) return `the document ${file}: ${hollow}`;
  return !files.includes(file) ? `the document ${file} was not changed` : null;
}

async function judgedByCommand(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, files, command }: Looked & { readonly command: string },
): Promise<Checked> {
  const tree = await parts.worktrees.tree(worktree, commit);
  const wish = { worktree, commit, tree, command, step: 'check', event: 'step.checked' };
  const run = await ranByService(parts, activity, wish);
  const why = whyNot(run);
  const end = `the service ran ${command}: exit code ${String(run.exitCode)}`;
  if (why !== null) return failed(step, why, { command, output: `${why}\n${run.output}` });
  return held(step, files, { by: 'its command', because: end, run, quotes: [] }, {});
}

function whyNot({ exitCode, endedBy, tests }: Evidence): string | null {
  if (endedBy !== 'itself') return `its command was ended by ${endedBy}`;
  if (exitCode !== 0) return `its command fails with exit code ${String(exitCode)}`;
  const doubt = tests ? doubtAboutTests(tests) : null;
  return doubt && `its command exits with 0, but ${doubt}`;
}
