import type { Finding, ProjectTask } from '#contracts';
import { findingCounts } from '#team';
import { isGateOn } from '../shared/optional-gates.js';
import type { Scenario } from './scenario.js';

type Context = Readonly<Record<string, unknown>>;

const MOST_LINES = 40;
const LONGEST_LINE = 300;

const lines = (words: readonly string[]): string =>
  [
    ...words.slice(0, MOST_LINES).map((line) => line.slice(0, LONGEST_LINE)),
    ...(words.length > MOST_LINES ? [`and ${String(words.length - MOST_LINES)} more`] : []),
  ].join('\n');

/** What whoever is asked before EXECUTING, or before the plan is handed over, has to know; null where nobody is. */
export function whyBeforeWork(
  context: Context,
  isPlanning: boolean,
  { findings, tasks }: { readonly findings: readonly Finding[]; readonly tasks: readonly ProjectTask[] },
): string | null {
  if (!isGateOn(context, isPlanning ? 'complete' : 'execute')) return null;
  const { P0, P1, P2 } = findingCounts(findings);
  const found = `The reviews found ${String(P0)} P0, ${String(P1)} P1 and ${String(P2)} P2.`;
  const todo = tasks.filter(({ kind }) => kind !== 'review').map(({ id, title }) => `${id} ${title}`);
  return `${found} ${isPlanning ? 'In the plan' : 'To be done'}, as in PLAN.md:\n${lines(todo)}`;
}

const NOT_TAKEN_ALONG =
  'What is changed in the worktree from now on is not what was accepted, and is not taken along: it is kept as a commit that SUMMARY.md names. For another change say revise.';

/** What whoever is asked before COMPLETE has to know; null where nobody is. */
export function whyBeforeCompletion(
  context: Context,
  { scenarios, tasks }: { readonly scenarios: readonly Scenario[]; readonly tasks: readonly ProjectTask[] },
): string | null {
  if (!isGateOn(context, 'complete')) return null;
  const done = tasks
    .filter(({ kind }) => kind !== 'review')
    .map(
      ({ id, title, status, commit }) =>
        `${id} ${title}: ${status}${commit === null ? '' : ` (${commit.slice(0, 12)})`}`,
    );
  const tried = scenarios.map(({ id, title, verdict }) => `${id} ${title}: ${verdict}`);
  return `What was done:\n${lines(done)}\n\nHow it was accepted, as in UAT.md:\n${lines(tried)}\n\n${NOT_TAKEN_ALONG}`;
}
