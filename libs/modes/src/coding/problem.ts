import type { HealProblem, ProjectTask } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import { EngineBug, type JsonObject } from '#kernel';
import { type Comparison, problemFrom } from '#self-heal';
import { withPatchedContext } from '../shared/patched-context.js';
import { listed, problemsOf } from './coding-context.js';
import { patchOf, type Trouble } from './context.js';
import { blockByProblem, linesOfFailures } from './problem-screen.js';

interface Found {
  readonly task: ProjectTask;
  /** Where the commands ran. */
  readonly folder: string;
  readonly patch: JsonObject;
  readonly facts: JsonObject;
}

/** EXECUTING meets a problem: it gets a number, and SELF_HEAL its first attempt. */
export function foundProblem(
  activity: ActivityContext,
  comparison: Comparison,
  { task, folder, patch, facts }: Found,
): Report {
  const problems = problemsOf(activity);
  const found = problemFrom(comparison, folder);
  if (!found) throw new EngineBug('PROBLEM_WITHOUT_FAILURE', 'a verification is worse, and nothing in it fails');
  const { title, error, signature, command } = found;
  const problem: HealProblem = {
    id: `P-${String(problems.length + 1).padStart(3, '0')}`,
    signature,
    title,
    error,
    command,
    task: task.id,
    status: 'open',
    reason: null,
    attempts: [],
  };
  const { id } = problem;
  const untried = `${title}. No attempt was made to fix it.`;
  const all = {
    ...patch,
    problems: listed([...problems, problem]),
    problem: id,
    ...patchOf({ trouble: troubleOf(comparison) }),
    healing: { attempt: 0, model: null, problem: id },
    // What a person reads where every attempt is skipped.
    ...patchOf(blockByProblem(withPatchedContext(activity, patch), { message: untried, why: untried })),
  };
  return report('problem:found', all, { ...facts, problem: id, title, signature });
}

const LONGEST_OUTPUT = 16_000;
/** An agent is shown an output of this length whole. */
const SHOWN_WHOLE = 10_000;
const LONGEST_FAILURES = 5_000;
const LONGEST_FILES = 8_000;

/** What went wrong last, for whoever mends it: the output itself, not its normalised form. */
export const troubleOf = ({ worst, newFailures, isCheck, checkFiles }: Comparison): Trouble => ({
  command: worst?.command ?? '',
  output: outputOf(worst?.output ?? '', newFailures),
  newFailures: newFailures.slice(0, 50),
  ...(isCheck && { isCheck }),
  ...(checkFiles && { checkFiles: checkFiles.slice(0, LONGEST_FILES) }),
});

/** Of a long output first the lines about the failures: some runners print them in place, far from the end. */
function outputOf(output: string, failures: readonly string[]): string {
  const own = output.length > SHOWN_WHOLE ? linesOfFailures(output, failures).slice(0, LONGEST_FAILURES) : '';
  if (own === '') return output.slice(-LONGEST_OUTPUT);
  const between = '\n\nThe end of the output:\n';
  return `${own}${between}${output.slice(-(LONGEST_OUTPUT - own.length - between.length))}`;
}
