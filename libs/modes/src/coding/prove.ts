import { type ActivityContext, type Report, report } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import { askPerson } from './ask-person.js';
import { doubtAbout } from '../shared/doubt.js';
import { tamperingBetween, verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import { type CodingParts, resolvedBlock, tasksOf, unblocked } from './coding-context.js';

const CONSENT =
  'Nothing proves that the change works. resolve: you have looked at it, and it goes on to acceptance as unproven. proceed: the same, without waiting for anything else. RETRY after adding tests runs them again.';

/**
 * The end of EXECUTING. Only a passing run of at least one test, with no test removed or skipped on the way, goes on by
 * itself; with anything else a person has to consent, and nothing calls it proven afterwards.
 */
export async function provenOrAsk(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  baseline: VerifyReport,
): Promise<Report> {
  const left = resolvedBlock(activity);
  const consented = left?.cause === 'unproven' && left.decision === 'resolve';
  const result = known(activity, left?.cause === 'unproven') ?? (await verified(parts, activity, worktree));
  const from = worktree.baseCommit;
  const to = commitOf(activity) ?? from;
  const tampering = await tamperingBetween(parts, activity, worktree, { from, to });
  const doubt = unchanged(activity) ?? doubtAbout(result, tampering, baseline) ?? failed(result);
  const kept = { baseline: asJson(baseline), verification: asJson(result), isCutShort: false };
  const facts = verdictOf(result);
  if (doubt === null) return report('work:verified', { ...unblocked, ...kept, doubt: null, isProven: true }, facts);
  if (consented) {
    const patch = { ...unblocked, ...kept, doubt, isProven: false };
    return report('work:verified', patch, { ...facts, doubt, consent: true });
  }
  const output = result.commands.map(({ command, output: said }) => `$ ${command}\n${said}`).join('\n');
  return askPerson({ cause: 'unproven', message: `${doubt}. ${CONSENT}`, output }, { ...kept, doubt, isProven: false });
}

/** What the last task's verification said holds, unless a person wants another look: its commit has the same tree. */
function known(activity: ActivityContext, isAskedAgain: boolean): VerifyReport | null {
  const { verifiedAt, verification } = activity.context;
  const isCurrent = verifiedAt !== undefined && verifiedAt === commitOf(activity);
  return isCurrent && !isAskedAgain ? ((verification as unknown as VerifyReport | undefined) ?? null) : null;
}

const failed = ({ verdict, reason }: VerifyReport): string | null =>
  verdict === 'failed' ? `the tests fail: ${reason}` : null;

const unchanged = (activity: ActivityContext): string | null =>
  tasksOf(activity).some(({ commit }) => commit !== null) ? null : 'nothing was changed';
