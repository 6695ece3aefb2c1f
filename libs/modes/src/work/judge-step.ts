import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { codingOrderOf, LIMITS } from '../coding/coding-context.js';
import type { CheckOutcome } from '../coding/proof/check-outcome.js';
import { isOutage, runAgent, simulatedBy } from '../coding/run-agent.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { repeatable } from '../shared/repeatable.js';
import type { Changes } from './changes.js';
import { CheckOutput, checkPrompt } from './check.prompt.js';
import type { CommandProof } from './command-proof.js';
import { withReport } from './reports.js';
import { failed, held } from './verdicts.js';
import type { Quote, StepEvidence, WorkModeParts, WorkStep } from './work-context.js';

export const CHECKER = 'checker';
/** One whose verdict cannot be taken is asked once more, as somebody new. */
const MOST_TRIES = 2;
const MOST_QUOTES = 10;
/** What is shorter is found anywhere. */
const LEAST_QUOTE = 20;

interface Wish {
  readonly step: WorkStep;
  readonly commit: string;
  readonly changes: Changes;
  /** Where the step has a command that holds, and proves nothing by itself. */
  readonly proof?: CommandProof;
}

/** By somebody who did not write it. A pass counts where its quotes stand in what the step has changed. */
export async function judgedByAgent(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, changes, proof }: Wish,
): Promise<CheckOutcome> {
  let refusal = '';
  // What somebody came across holds, whether the verdict beside it can be taken or not.
  let patch: JsonObject = {};
  for (let nth = 1; nth <= MOST_TRIES; nth += 1) {
    const outcome = await runAgent(parts, activity, { worktree, startCommit: commit }, {
      step: `${CHECKER}-${String(nth)}`,
      role: CHECKER,
      purpose: 'check-step',
      attempt: nth,
      tier: codingOrderOf(activity).tier,
      prompt: checkPrompt,
      input: {
        ...step,
        request: activity.project.request,
        files: changes.there,
        deleted: changes.deleted,
        ran: proof ? ranWords(proof) : '',
        refusal,
      },
      access: 'read',
      output: { name: 'check', type: CheckOutput },
      limits: LIMITS.test,
    }); // prettier-ignore
    if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
      return { kind: 'stopped', outcome, patch };
    }
    if (outcome.kind === 'failed') {
      refusal = `the agent came to no verdict: ${outcome.message}`;
      continue;
    }
    const said = CheckOutput.parse(outcome.output);
    const observation = said.observation.slice(0, 2_000);
    patch = {
      ...patch,
      ...withReport(withPatchedContext(activity, patch), CHECKER, said.findings),
      ...simulatedBy(outcome),
    };
    if (said.verdict === 'fail') return failed(step, observation || 'no reason was given', null, patch);
    const quotes = await foundQuotes(parts, activity, worktree, { said, commit, changes, nth });
    if (quotes.length > 0) return held(step, changes, evidenceOf(step, observation, quotes, proof), patch);
    refusal = refusalOf(changes);
  }
  return failed(step, `no agent could show that it holds: ${refusal}`, null, patch);
}

const ranWords = ({ run: { command, exitCode }, doubts }: CommandProof): string =>
  `the service ran ${command.slice(0, 200)}: exit code ${String(exitCode)}, which proves nothing alone, because ${doubts.join(', and ')}`;

/** Whoever reads what showed it reads first what did not. */
const evidenceOf = (
  { wrongCheck }: WorkStep,
  observation: string,
  quotes: readonly Quote[],
  proof: CommandProof | undefined,
): StepEvidence => {
  if (proof)
    return { by: `its command and ${CHECKER}`, because: `${ranWords(proof)}; ${observation}`, run: proof.run, quotes };
  const ruled = wrongCheck ? `another agent ruled that "${wrongCheck.check}" is wrong: ${wrongCheck.why}; ` : '';
  return { by: CHECKER, because: `${ruled}${observation}`, run: null, quotes };
};

const refusalOf = ({ there, deleted }: Changes): string =>
  there.length > 0
    ? `none of the quotes stands in a file that was changed: ${there.slice(0, 20).join(', ')}`
    : `it names none of the files that were deleted: ${deleted.slice(0, 20).join(', ')}`;

interface Search {
  readonly said: CheckOutput;
  readonly commit: string;
  readonly changes: Changes;
  readonly nth: number;
}

/**
 * Those that the service has found itself. White space counts for nothing: lines are broken anyhow. A file that is gone
 * holds no words, and is named; that bears a verdict out only where the step left nothing that could be quoted.
 */
const foundQuotes = (
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { said, commit, changes: { there, deleted }, nth }: Search,
): Promise<readonly Quote[]> =>
  repeatable(activity, `quotes/${String(nth)}`, async () => {
    const found: Quote[] = [];
    const gone: Quote[] = [];
    for (const { file, quote } of said.evidence.slice(0, MOST_QUOTES)) {
      if (deleted.includes(file)) gone.push({ file, quote: '', isDeleted: true });
      const words = inOneLine(quote);
      if (words.length < LEAST_QUOTE || !there.includes(file)) continue;
      const text = (await worktrees.fileAt(worktree, commit, file))?.content.toString('utf8') ?? '';
      if (inOneLine(text).includes(words)) found.push({ file, quote: quote.slice(0, 500) });
    }
    return found.length > 0 || there.length === 0 ? [...found, ...gone] : [];
  });

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
