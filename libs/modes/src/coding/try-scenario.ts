import { type ActivityContext, type Report, report } from '#engine';
import type { Worktree } from '#workspace';
import { commitOf } from '../shared/work-parts.js';
import { testPrompt, TestReport } from './accept.prompt.js';
import { codingOrderOf, type CodingParts, LIMITS, listed, unblocked } from './coding-context.js';
import { putBack, stoppedWithoutTrace } from './put-back.js';
import { doubtAboutTests, gatherEvidence } from './run-evidence.js';
import { isOutage, runAgent, simulatedBy } from './run-agent.js';
import type { Evidence, Scenario } from './scenario.js';

export const TESTER = 'acceptance-tester';
/** A tester without a verdict, or one that its own command contradicts, is replaced once. */
const MOST_TRIES = 2;

interface Trial {
  readonly worktree: Worktree;
  readonly tree: string;
  readonly scenarios: readonly Scenario[];
  readonly scenario: Scenario;
}

type Judgement = Pick<Scenario, 'verdict' | 'because' | 'by' | 'evidence'>;

/** One scenario, by its own command or by an agent; either way the evidence is a run that the service made itself. */
export async function tried(parts: CodingParts, activity: ActivityContext, trial: Trial): Promise<Report> {
  const { scenario } = trial;
  if (scenario.command !== null) {
    const wish = { command: scenario.command, step: 'command' };
    return told(trial, await judgeTwice(parts, activity, trial, { ...wish, by: 'its command', observation: null }));
  }
  return byAgent(parts, activity, trial);
}

async function byAgent(parts: CodingParts, activity: ActivityContext, trial: Trial): Promise<Report> {
  const { worktree, scenario } = trial;
  const startCommit = commitOf(activity) ?? worktree.baseCommit;
  const { title, steps } = scenario;
  const rulings = (scenario.rulings ?? []).flatMap(({ isWrong, why }) => (isWrong ? [why] : []));
  let refusal = '';
  let contradicted: Evidence | null = null;
  for (let nth = 1; nth <= MOST_TRIES; nth += 1) {
    const place = { worktree, startCommit };
    const outcome = await runAgent(parts, activity, place, {
      step: `${TESTER}-${String(nth)}`,
      role: TESTER,
      purpose: 'acceptance',
      attempt: nth,
      tier: codingOrderOf(activity).tier,
      prompt: testPrompt,
      input: { request: activity.project.request, title, steps, rulings, refusal },
      access: 'write',
      output: { name: 'acceptance', type: TestReport },
      limits: LIMITS.test,
    });
    if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
      return stoppedWithoutTrace(parts, activity, worktree, outcome, { startCommit });
    }
    await putBack(parts, activity, worktree, { step: `put-back/${String(nth)}` });
    if (outcome.kind === 'failed') {
      refusal = `No tester came to a verdict: ${outcome.message}`;
      contradicted = null;
      continue;
    }
    const { verdict, command, observation } = TestReport.parse(outcome.output);
    const wish = { command, step: `evidence/${String(nth)}` };
    if (verdict === 'pass') {
      const judgement = await judgeTwice(parts, activity, trial, { ...wish, by: TESTER, observation });
      return told(trial, judgement, simulatedBy(outcome));
    }
    const evidence = await ran(parts, activity, trial, wish);
    // A tester that its own command contradicts may be wrong, and nobody could reproduce the failure.
    if (judgedBy(evidence, TESTER, null).verdict === 'passed') {
      contradicted = evidence;
      refusal = `A tester said that the scenario fails, but its command exits with 0: $ ${command.slice(0, 500)}`;
      continue;
    }
    return told(trial, failed(observation, evidence), simulatedBy(outcome));
  }
  // That no tester came to a verdict says nothing about the work.
  return told(trial, { verdict: 'skipped', because: refusal.slice(0, 2_000), by: TESTER, evidence: contradicted });
}

const failed = (because: string, evidence: Evidence | null): Judgement => ({
  verdict: 'failed',
  because: because.slice(0, 2_000),
  by: TESTER,
  evidence,
});

interface Deciding {
  readonly command: string;
  readonly step: string;
  readonly by: string;
  readonly observation: string | null;
}

/** A run that decides is seen twice. A command that passes and fails on the same files says nothing about the work. */
async function judgeTwice(
  parts: CodingParts,
  activity: ActivityContext,
  trial: Trial,
  { command, step, by, observation }: Deciding,
): Promise<Judgement> {
  const evidence = await ran(parts, activity, trial, { command, step });
  const first = judgedBy(evidence, by, observation);
  const second = judgedBy(await ran(parts, activity, trial, { command, step: `${step}/again` }), by, observation);
  if (first.verdict === second.verdict) return first;
  const because = 'its command passes and fails on the same files: it is flaky';
  return { verdict: 'skipped', because, by, evidence };
}

function judgedBy(evidence: Evidence, by: string, observation: string | null): Judgement {
  const { exitCode, endedBy, tests } = evidence;
  const isSuccess = exitCode === 0 && endedBy === 'itself';
  const doubt = isSuccess && tests ? doubtAboutTests(tests) : null;
  const end = endedBy === 'itself' ? `exit code ${String(exitCode)}` : `ended by ${endedBy}`;
  const because = [
    observation?.slice(0, 1_500).replace(/[.\s]+$/, ''),
    `the service ran the command: ${end}${doubt === null ? '' : `, but ${doubt}`}`,
    isSuccess && tests && doubt === null
      ? `${String(tests.passed)} ${tests.passed === 1 ? 'test' : 'tests'} passed`
      : '',
  ];
  const verdict = isSuccess && doubt === null ? 'passed' : 'failed';
  return { verdict, because: because.filter(Boolean).join('; '), by, evidence };
}

const ran = (
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, tree }: Trial,
  { command, step }: { readonly command: string; readonly step: string },
): Promise<Evidence> => {
  const commit = commitOf(activity) ?? worktree.baseCommit;
  return gatherEvidence(parts, activity, { worktree, commit, tree, command, step, event: 'uat.evidence' });
};

function told({ scenarios, scenario, tree }: Trial, judgement: Judgement, patch: { simulated?: true } = {}): Report {
  const all = scenarios.map((one) => (one.id === scenario.id ? { ...one, ...judgement, triedOn: tree } : one));
  const { verdict, because } = judgement;
  const data = { scenario: scenario.id, title: scenario.title, verdict, because: because.slice(0, 500) };
  return report('uat:continues', { ...unblocked, ...patch, scenarios: listed(all) }, data);
}
