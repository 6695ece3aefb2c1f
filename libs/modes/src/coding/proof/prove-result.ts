import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Judgement } from '#proof';
import { proofTask } from '#team';
import type { VerifyReport, Worktree } from '#workspace';
import { withPatchedContext } from '../../shared/patched-context.js';
import { repeatable } from '../../shared/repeatable.js';
import { verdictOf } from '../../shared/verification.js';
import { asJson, commitOf, shown } from '../../shared/work-parts.js';
import { askPerson } from '../ask-person.js';
import { type CodingParts, findingsOf, listed, resolvedBlock, tasksOf, unblocked } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { commitOfPerson } from '../left-by-person.js';
import { foundProblem } from '../problem.js';
import { stoppedBy } from '../run-agent.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { describeJudgement, failedRules } from './describe-judgement.js';
import { type GatheredFacts, gatherFacts } from './gather-facts.js';
import { settledBy } from './inspected-findings.js';
import { judgeResult } from './judge-result.js';
import { describeMissingProof } from './missing-proof.js';
import { describeFailings, describeWithoutReason, recordOf } from './record-proof.js';
import { ruleOnResultScope } from './rule-on-result-scope.js';
import { ruleOnFacts } from './rule-on-facts.js';
import { describeStoppedProof } from './stopped-proof.js';
import { findCommittedAsides, takeAsidesBack } from './take-asides-back.js';
import { describeUnproven } from './unproven-screen.js';

export interface ProofOptions {
  readonly event?: string;
  /** A person has said that the project goes on whatever the proof says. */
  readonly isConsented?: boolean;
  /** Whether a person has consented to just what is missing. It replaces the decision of the last block. */
  readonly isConsentedTo?: (missing: readonly string[]) => boolean;
  /** Only EXECUTING can hand what is missing to SELF_HEAL. */
  readonly canHeal?: boolean;
}

/** Problems that one project may find in its own proof. Beyond that a person is asked. */
const MOST_PROOF_TASKS = 3;

/**
 * Judges the whole result once no task is left. What is missing for a proof is healed like any other problem. A person is
 * asked only if healing came to its end.
 */
export async function proveResult(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  given: ProofOptions & { readonly plan: RequestPlan; readonly baseline: VerifyReport },
): Promise<Report> {
  const { plan, baseline, event = 'work:verified', isConsented = false, isConsentedTo, canHeal = true } = given;
  const left = resolvedBlock(activity);
  const isResolved = left?.cause === 'unproven' && left.decision === 'resolve';
  const own = left ? await commitOfPerson(parts, activity, worktree) : null;
  const commit = own ?? commitOf(activity) ?? worktree.baseCommit;
  const known = left === null ? knownVerification(activity) : null;
  const gathered = await gatherFacts(parts, activity, worktree, { commit, plan, baseline, known });
  const stopped = describeStoppedProof(activity);
  if (gathered.kind === 'stopped') return stoppedBy(activity, gathered.outcome, gathered.patch, null, stopped);
  const scene = withPatchedContext(activity, gathered.patch);
  const scoped = await ruleOnResultScope(parts, scene, worktree, { facts: gathered.facts, baseline });
  const found = { ...gathered.patch, ...scoped.patch };
  if (scoped.kind === 'stopped') return stoppedBy(activity, scoped.outcome, found, null, stopped);
  const isLastChance = !canHeal || countRounds(activity) >= MOST_PROOF_TASKS;
  const ruled = await ruleOnFacts(parts, scene, worktree, { facts: scoped.facts, claim: null, isLastChance });
  if (ruled.kind === 'stopped') return stoppedBy(activity, ruled.outcome, found, null, stopped);
  const { facts } = ruled;
  const { judgement, putOff } = judgeResult(activity, facts, { ...found, ...ruled.patch });
  const proof = recordOf(facts, judgement, baseline);
  await repeatable(activity, 'judged', async (run) => {
    run.tell('proof.judged', describeJudgement(facts, judgement));
  });
  const kept: JsonObject = {
    ...shown(worktree, commit),
    ...found,
    ...ruled.patch,
    ...(own !== null && { good: { commit, checkpoint: activity.checkpoint.seq + 1 }, isChangedByPerson: true }),
    ...patchOf({ proof, inspection: facts.inspection, flakyTests: [...facts.flaky] }),
    // For the API, which shows it beside `proven`.
    evidence: [...proof.evidence],
    baseline: asJson(baseline),
    verification: asJson(facts.verification.result),
    verifiedAt: commit,
    needsProof: false,
    isCutShort: false,
  };
  const settled = settledBy(findingsOf(activity), facts.inspection, commit);
  const ended = { ...unblocked, ...kept, findings: listed(settled) };
  const told = { ...verdictOf(facts.verification.result), proven: judgement.proven, rules: failedRules(judgement) };
  if (judgement.proven !== 'no' && putOff.length === 0) {
    return report(event, { ...ended, doubt: null, isProven: true }, told);
  }
  const isOnlyPutOff = judgement.proven !== 'no';
  const doubt = isOnlyPutOff ? `A person put off: ${putOff.join('; ')}.` : describeFailings(judgement);
  const hasConsent = isConsentedTo?.(proof.failings.map(describeWithoutReason)) ?? (isConsented || isResolved);
  if (hasConsent || isOnlyPutOff || isAcceptedBefore(activity, judgement)) {
    return report(event, { ...ended, doubt, isProven: false }, { ...told, doubt, consent: true });
  }
  const asides = canHeal && own === null ? findCommittedAsides(activity, worktree) : null;
  if (asides) {
    return takeAsidesBack(parts, activity, worktree, { asides, known: { ...found, ...ruled.patch } });
  }
  const unproven = { ...kept, doubt, isProven: false };
  if (canHeal && isHealable(activity, judgement)) {
    return healProof(activity, worktree, { facts, judgement, patch: unproven, told });
  }
  const { message, ...details } = describeUnproven({ facts, judgement, proof });
  return withFacts(askPerson(activity, { cause: 'unproven', message }, unproven, details), told);
}

/** The report has what metrics count, even if a person is asked. */
const withFacts = (asked: Report, told: JsonObject): Report =>
  asked.kind === 'event' ? { ...asked, data: { ...told, ...asked.data } } : asked;

/** The last task's verification holds for its commit: that has the same tree. */
function knownVerification(activity: ActivityContext): VerifyReport | null {
  const { verifiedAt, verification } = contextOf(activity);
  const isCurrent = verifiedAt !== undefined && verifiedAt === commitOf(activity);
  return isCurrent ? (verification ?? null) : null;
}

/** Whether a person has put off just what is missing for a proof. They are not asked again. */
const isAcceptedBefore = (activity: ActivityContext, { failings }: Judgement): boolean => {
  const putOff = tasksOf(activity).filter(({ kind, status }) => kind === 'proof' && status === 'deferred');
  return failings.every((failing) => putOff.some(({ detail }) => detail.includes(describeWithoutReason(failing))));
};

const countRounds = (activity: ActivityContext): number =>
  tasksOf(activity).filter(({ kind }) => kind === 'proof').length;

const isHealable = (activity: ActivityContext, { failings }: Judgement): boolean =>
  countRounds(activity) < MOST_PROOF_TASKS && failings.some(({ canHeal }) => canHeal);

interface Missing {
  readonly facts: GatheredFacts;
  readonly judgement: Judgement;
  readonly patch: JsonObject;
  readonly told: JsonObject;
}

/** What is missing becomes a task of its own, which SELF_HEAL works on with the whole ladder. */
function healProof(activity: ActivityContext, worktree: Worktree, { facts, judgement, patch, told }: Missing): Report {
  const comparison = describeMissingProof(facts, judgement);
  const { newFailures, worst, checkFiles = '' } = comparison;
  const before = tasksOf(activity);
  const [task] = proofTask(
    {
      title: newFailures[0] ?? 'The result is not proven',
      detail: [worst?.output ?? '', checkFiles].filter(Boolean).join('\n\n'),
    },
    before,
  );
  if (!task) throw new Error('a proof task has a number');
  const tasks = listed([...before, task]);
  return foundProblem(activity, comparison, {
    task,
    folder: worktree.folder,
    patch: { ...unblocked, ...patch, tasks },
    facts: told,
  });
}
