import { type ActivityContext, type EffectRun, type Report, report, type SettleRule } from '#engine';
import { type JsonObject, WorldError } from '#kernel';
import { type Sandbox, testsRun, type VerifyReport, type WorkspaceOrder, type Worktree } from '#workspace';
import { commandMs, isAfterBlock } from '../shared/verification.js';
import { commitOf, orderOf } from '../shared/work-parts.js';
import { testPrompt, TestReport } from './accept.prompt.js';
import { codingOrderOf, type CodingParts, LIMITS, listed, unblocked } from './coding-context.js';
import { hollow } from './hollow-command.js';
import { putBack, stoppedWithoutTrace } from './put-back.js';
import { isOutage, runAgent, simulatedBy } from './run-agent.js';
import type { Evidence, Scenario } from './scenario.js';

export const TESTER = 'acceptance-tester';
/** One whose report cannot be taken is asked once more, as somebody new. */
const MOST_TRIES = 2;
const LONGEST_OUTPUT = 4_000;

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
  const isEmpty = scenario.command === null || hollow(scenario.command) !== null;
  if (!isEmpty && scenario.command !== null) {
    const evidence = await ran(parts, activity, trial, scenario.command, 'command');
    return told(trial, judgedBy(evidence, 'its command', null));
  }
  return byAgent(parts, activity, trial);
}

async function byAgent(parts: CodingParts, activity: ActivityContext, trial: Trial): Promise<Report> {
  const { worktree, scenario } = trial;
  const startCommit = commitOf(activity) ?? worktree.baseCommit;
  let refusal = '';
  for (let nth = 1; nth <= MOST_TRIES; nth += 1) {
    const outcome = await runAgent(parts, activity, { worktree, startCommit }, {
      step: `${TESTER}-${String(nth)}`,
      role: TESTER,
      purpose: 'acceptance',
      attempt: nth,
      tier: codingOrderOf(activity).tier,
      prompt: testPrompt,
      input: { request: activity.project.request, title: scenario.title, steps: scenario.steps, refusal },
      access: 'write',
      output: { name: 'acceptance', type: TestReport },
      limits: LIMITS.test,
    }); // prettier-ignore
    if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
      return stoppedWithoutTrace(parts, activity, worktree, outcome, { startCommit });
    }
    await putBack(parts, activity, worktree, { step: `put-back/${String(nth)}` });
    if (outcome.kind === 'failed') {
      refusal = `the agent came to no verdict: ${outcome.message}`;
      continue;
    }
    const { verdict, command, observation } = TestReport.parse(outcome.output);
    const empty = hollow(command);
    if (verdict === 'fail' && empty !== null) {
      return told(trial, failed(observation, null), simulatedBy(outcome));
    }
    if (empty === null) {
      const evidence = await ran(parts, activity, trial, command, `evidence/${String(nth)}`);
      const judgement = verdict === 'fail' ? failed(observation, evidence) : judgedBy(evidence, TESTER, observation);
      return told(trial, judgement, simulatedBy(outcome));
    }
    refusal = `a pass needs a command that can fail: ${empty}`;
  }
  return told(trial, failed(`nobody could show that it holds: ${refusal}`, null));
}

const failed = (because: string, evidence: Evidence | null): Judgement => ({
  verdict: 'failed',
  because: because.slice(0, 2_000),
  by: TESTER,
  evidence,
});

function judgedBy(evidence: Evidence, by: string, observation: string | null): Judgement {
  const { exitCode, endedBy, tests } = evidence;
  const isSuccess = exitCode === 0 && endedBy === 'itself';
  const doubt = isSuccess && tests ? doubtAbout(tests) : null;
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

/** A runner whose filter matches nothing exits with 0; so does a script that loses the exit code of its tests. */
function doubtAbout(tests: NonNullable<Evidence['tests']>): string | null {
  if (testsRun({ ...tests, skipped: 0 }) === 0) return 'no test ran';
  return tests.failed > 0 ? `tests failed: ${String(tests.failed)}` : null;
}

/** Run by the service in the sandbox, on the accepted tree, whatever anybody claims. */
async function ran(
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, tree }: Trial,
  command: string,
  step: string,
): Promise<Evidence> {
  const { workshop, worktrees } = parts;
  return activity.effect<Kept>({
    step,
    settle: settleRule(workshop.sandbox(orderOf(activity))),
    run: async (run) => {
      const commit = commitOf(activity) ?? worktree.baseCommit;
      if (run.attempt > 1 || isAfterBlock(activity)) await worktrees.reset(worktree, commit);
      const commands = await onCommitAlone(parts, worktree, { ...orderOf(activity), verify: [command] }, commit, run);
      const [done] = commands;
      const { exitCode = null, endedBy = 'nobody', output = '', counts = null } = done ?? {};
      run.tell('uat.evidence', {
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
  commit: string,
  run: EffectRun,
): Promise<VerifyReport['commands']> {
  const once = async (): Promise<VerifyReport> => {
    const report = await workshop.verify(worktree, order, run);
    await worktrees.reset(worktree, commit);
    return report;
  };
  const { commands, changedDependencies } = await once();
  if (!changedDependencies) return commands;
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
    'The command of a scenario was running outside of a full sandbox when its worker ended; nobody knows what it did. Run it again?';
  return { kind: 'ask', question, options: ['repeat'] };
}

function told({ scenarios, scenario, tree }: Trial, judgement: Judgement, patch: { simulated?: true } = {}): Report {
  const all = scenarios.map((one) => (one.id === scenario.id ? { ...one, ...judgement, triedOn: tree } : one));
  const { verdict, because } = judgement;
  const data = { scenario: scenario.id, title: scenario.title, verdict, because: because.slice(0, 500) };
  return report('uat:continues', { ...unblocked, ...patch, scenarios: listed(all) }, data);
}
