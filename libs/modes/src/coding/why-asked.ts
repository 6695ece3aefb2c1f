import type { Finding, ProjectTask } from '#contracts';
import { findingCounts } from '#team';
import { isGateOn } from '../shared/optional-gates.js';
import type { ProofRecord } from './proof/proof-record.js';
import { listLines, shortenRequest } from './screen-lines.js';
import { describeVerdict, type Scenario } from './scenario.js';

type Context = Readonly<Record<string, unknown>>;

interface BeforeWork {
  readonly request: string;
  readonly findings: readonly Finding[];
  readonly tasks: readonly ProjectTask[];
}

/** What a person reads who is asked before EXECUTING, or before the plan is handed over; null if no gate is on. */
export function whyBeforeWork(
  context: Context,
  isPlanning: boolean,
  { request, findings, tasks }: BeforeWork,
): string | null {
  if (!isGateOn(context, isPlanning ? 'complete' : 'execute')) return null;
  const { P0, P1, P2 } = findingCounts(findings);
  const steps = tasks.filter(({ kind }) => kind !== 'review').map(({ id, title }) => `${id} ${title}`);
  return [
    `What was asked: ${shortenRequest(request)}`,
    `The reviews found ${String(P0)} P0, ${String(P1)} P1 and ${String(P2)} P2. SYNTHESIS.md has them.`,
    listLines(isPlanning ? 'Steps of the plan, as in PLAN.md' : 'To be done, as in PLAN.md', steps, 'Nothing.'),
    isPlanning
      ? 'Likely best answer: read PLAN.md. `approve` completes the project with it; nothing is changed.'
      : 'Likely best answer: read PLAN.md. If the steps are right, `approve`; agents read what you say with it.',
  ].join('\n\n');
}

interface BeforeCompletion {
  readonly request: string;
  readonly scenarios: readonly Scenario[];
  readonly tasks: readonly ProjectTask[];
  readonly proof: ProofRecord | null;
}

const NOT_TAKEN_ALONG =
  'Changes that you make in the worktree from now on are not part of the result. They are kept as a commit that SUMMARY.md names.';

/** What a person reads who is asked before COMPLETE; null if no gate is on. */
export function whyBeforeCompletion(
  context: Context,
  { request, scenarios, tasks, proof }: BeforeCompletion,
): string | null {
  if (!isGateOn(context, 'complete')) return null;
  const done = tasks
    .filter(({ kind }) => kind !== 'review')
    .map(
      ({ id, title, status, commit }) =>
        `${id} ${title}: ${status}${commit === null ? '' : ` (${commit.slice(0, 12)})`}`,
    );
  const tried = scenarios.map((one) => `${one.id} ${one.title}: ${describeVerdict(one)}`);
  return [
    `What was asked: ${shortenRequest(request)}`,
    listLines('Done', done, 'Nothing was changed.'),
    ...(proof ? [listLines('Proven', proof.evidence, 'Nothing.')] : []),
    ...(proof && proof.failings.length > 0
      ? [
          listLines(
            'Not proven',
            proof.failings.map(({ what }) => what),
            '',
          ),
        ]
      : []),
    ...(tried.length > 0 ? [listLines('Accepted, as in UAT.md', tried, '')] : []),
    `Likely best answer: look at the branch. If it is right, \`approve\`. For another change, \`revise\` and say what. ${NOT_TAKEN_ALONG}`,
  ].join('\n\n');
}
