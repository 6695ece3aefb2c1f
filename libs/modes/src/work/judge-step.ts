import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { codingOrderOf, LIMITS } from '../coding/coding-context.js';
import type { Checked } from '../coding/manner.js';
import { isOutage, runAgent, simulatedBy } from '../coding/run-agent.js';
import { knowing } from '../shared/knowing.js';
import { repeatable } from '../shared/repeatable.js';
import { CheckOutput, checkPrompt } from './check.prompt.js';
import { withReport } from './reports.js';
import { failed, held } from './verdicts.js';
import type { Quote, WorkModeParts, WorkStep } from './work-context.js';

export const CHECKER = 'checker';
/** One whose verdict cannot be taken is asked once more, as somebody new. */
const MOST_TRIES = 2;
const MOST_QUOTES = 10;
/** What is shorter is found anywhere. */
const LEAST_QUOTE = 20;

interface Wish {
  readonly step: WorkStep;
  readonly commit: string;
  readonly files: readonly string[];
}

/** By somebody who did not write it. A pass counts where its quotes stand in what the step has changed. */
export async function judgedByAgent(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, files }: Wish,
): Promise<Checked> {
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
      input: { ...step, request: activity.project.request, files, refusal },
      access: 'read',
      output: { name: 'check', type: CheckOutput },
      limits: LIMITS.test,
    }); // prettier-ignore
    if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
      return { kind: 'stopped', outcome };
    }
    if (outcome.kind === 'failed') {
      refusal = `the agent came to no verdict: ${outcome.message}`;
      continue;
    }
    const said = CheckOutput.parse(outcome.output);
    const observation = said.observation.slice(0, 2_000);
    patch = { ...patch, ...withReport(knowing(activity, patch), CHECKER, said.findings), ...simulatedBy(outcome) };
    if (said.verdict === 'fail') return failed(step, observation || 'no reason was given', null, patch);
    const quotes = await foundQuotes(parts, activity, worktree, { said, commit, files, nth });
    if (quotes.length > 0) return held(step, files, { by: CHECKER, because: observation, run: null, quotes }, patch);
    refusal = `none of the quotes stands in a file that was changed: ${files.slice(0, 20).join(', ')}`;
  }
  return failed(step, `nobody could show that it holds: ${refusal}`, null, patch);
}

interface Search {
  readonly said: CheckOutput;
  readonly commit: string;
  readonly files: readonly string[];
  readonly nth: number;
}

/** Those that the service has found itself. White space counts for nothing: lines are broken anyhow. */
const foundQuotes = (
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { said, commit, files, nth }: Search,
): Promise<readonly Quote[]> =>
  repeatable(activity, `quotes/${String(nth)}`, async () => {
    const found: Quote[] = [];
    for (const { file, quote } of said.evidence.slice(0, MOST_QUOTES)) {
      const words = inOneLine(quote);
      if (words.length < LEAST_QUOTE || !files.includes(file)) continue;
      const { text = '' } = (await worktrees.fileAt(worktree, commit, file)) ?? {};
      if (inOneLine(text).includes(words)) found.push({ file, quote: quote.slice(0, 500) });
    }
    return found;
  });

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
