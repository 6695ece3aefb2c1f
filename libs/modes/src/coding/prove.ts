import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { TestTampering, VerifyReport, Worktree } from '#workspace';
import { askPerson } from './ask-person.js';
import { doubtAbout } from '../shared/doubt.js';
import { tamperingBetween, verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import {
  type CodingParts, deferredOf, findingsOf, resolvedBlock, tasksOf, unblocked, UNCHANGED,
} from './coding-context.js'; // prettier-ignore
import { contextOf } from './context.js';
import { commitOfPerson } from './left-by-person.js';

type Doubts = (result: VerifyReport, tampering: TestTampering, baseline: VerifyReport) => string | null;

interface Proof {
  readonly event?: string;
  readonly isConsented?: boolean;
  /** Whether a person has consented to just this doubt, where that is otherwise than in coding mode. */
  readonly isConsentedTo?: (doubt: string) => boolean;
  /** What speaks against a result, where that is otherwise than in coding mode. */
  readonly doubtAbout?: Doubts;
  /** What is known where it goes on. */
  readonly proven?: JsonObject;
}

const strictly: Doubts = (result, tampering, baseline) => doubtAbout(result, tampering, baseline) ?? failed(result);

/**
 * The end of EXECUTING, and UAT where a person changed something. Only a passing run of at least one test, with no test
 * removed or skipped on the way, goes on by itself; with anything else a person has to consent, and nothing calls it
 * proven afterwards.
 */
export async function provenOrAsk(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  baseline: VerifyReport,
  {
    event = 'work:verified',
    isConsented = false,
    isConsentedTo,
    doubtAbout: judge = strictly,
    proven = {},
  }: Proof = {},
): Promise<Report> {
  const left = resolvedBlock(activity);
  const isResolved = left?.cause === 'unproven' && left.decision === 'resolve';
  const own = left ? await commitOfPerson(parts, activity, worktree) : null;
  const commit = own ?? commitOf(activity) ?? worktree.baseCommit;
  const result = known(activity, left !== null) ?? (await verified(parts, activity, worktree, { commit }));
  const tampering = await tamperingBetween(parts, activity, worktree, { from: worktree.baseCommit, to: commit });
  const doubt = unchanged(activity, own) ?? judge(result, tampering, baseline);
  const kept = {
    ...shown(worktree, commit),
    ...(own !== null && { good: { commit, checkpoint: activity.checkpoint.seq + 1 }, isChangedByPerson: true }),
    baseline: asJson(baseline),
    verification: asJson(result),
    verifiedAt: commit,
    needsProof: false,
    isCutShort: false,
  };
  const facts = verdictOf(result);
  if (doubt === null) return report(event, { ...unblocked, ...kept, doubt: null, isProven: true, ...proven }, facts);
  if (isConsentedTo?.(doubt) ?? (isConsented || isResolved)) {
    const patch = { ...unblocked, ...kept, doubt, isProven: false, ...proven };
    return report(event, patch, { ...facts, doubt, consent: true });
  }
  const output = result.commands.map(({ command, output: said }) => `$ ${command}\n${said}`).join('\n');
  const block = { cause: 'unproven', message: `Nothing proves that the change works: ${doubt}.`, output };
  return askPerson(activity, block, { ...kept, doubt, isProven: false });
}

/** The last task's verification holds for its commit, unless a person wants another look: that has the same tree. */
function known(activity: ActivityContext, isAskedAgain: boolean): VerifyReport | null {
  const { verifiedAt, verification } = contextOf(activity);
  const isCurrent = verifiedAt !== undefined && verifiedAt === commitOf(activity);
  return isCurrent && !isAskedAgain ? (verification ?? null) : null;
}

const failed = ({ verdict, reason }: VerifyReport): string | null =>
  verdict === 'failed' ? `the tests fail: ${reason}` : null;

/** A person who changed something has answered for the request. */
function unchanged({ context }: ActivityContext, own: string | null): string | null {
  if (own !== null || contextOf({ context }).isChangedByPerson === true) return null;
  if (!tasksOf({ context }).some(({ commit }) => commit !== null)) return 'nothing was changed';
  const urgent = urgentLeft({ context });
  return urgent.length > 0 ? `urgent, and nothing was changed for it: ${urgent.join('; ')}` : null;
}

/** The request was not to be carried out before these are mended, and nobody says that they do not hold. */
function urgentLeft(scene: Pick<ActivityContext, 'context'>): readonly string[] {
  const left = new Set(deferredOf(scene).flatMap(({ cause, task }) => (cause === UNCHANGED ? task : [])));
  const findings = new Set(tasksOf(scene).flatMap(({ id, finding }) => (left.has(id) ? finding : [])));
  const urgent = findingsOf(scene).filter(({ id, priority }) => priority === 'P0' && findings.has(id));
  return urgent.map(({ id, title }) => `${id} ${title}`);
}
