import { z } from 'zod';
import { Finding, HealProblem, ProjectTask, Team, TeamMessage } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { AgentFindings } from '#team';
import type { VerifyReport } from '#workspace';
import type { MatchingSkill } from '../shared/matching-skills.js';
import type { Changes } from '../shared/page-parts.js';
import type { CodingOrder } from './order.js';
import { Inspection, InspectionRuling, ProofRecord } from './proof/proof-record.js';
import type { Review, Seat } from './reviewer/review.js';
import { Scenario } from './scenario.js';
import { Check, RequestPlan } from './scoping/request-plan.js';

/** A value whose type another module owns. Checkpoints are checksummed, so its shape is not checked again. */
const owned = <T>() => z.custom<T>((value) => value !== undefined);

const CommitPlace = z.strictObject({ commit: z.string(), checkpoint: z.number() });

/** Work that was put off, as DEFERRED.md lists it. */
export const DeferredItem = z.strictObject({
  title: z.string(),
  cause: z.string(),
  reason: z.string(),
  problem: z.string().nullable(),
  task: z.string().nullable(),
  /** The end of the output, if the item has no problem with attempts of its own. */
  error: z.string().exactOptional(),
});
export type DeferredItem = z.infer<typeof DeferredItem>;

/** What fails where the next heal attempt begins. */
export const Trouble = z.strictObject({
  command: z.string(),
  output: z.string(),
  newFailures: z.array(z.string()),
  /** A check failed, and no verify command. */
  isCheck: z.boolean().optional(),
  /** The files of a check that failed, apart from what it printed. */
  checkFiles: z.string().optional(),
  /** A check that the last attempt failed, though it fixed the tests: what is not true, and what was printed. */
  alsoFails: z.string().optional(),
});
export type Trouble = z.infer<typeof Trouble>;

const Decision = z.looseObject({
  gate: z.string().optional(),
  decision: z.string().optional(),
  feedback: z.string().optional(),
});

const Command = z.looseObject({
  command: z.string().optional(),
  state: z.string().optional(),
  visit: z.number().optional(),
});

const Block = z.looseObject({
  cause: z.string(),
  message: z.string(),
  code: z.string().optional(),
  role: z.string().optional(),
  output: z.string().optional(),
});

/** A plan of classic or work mode, as far as the states after it read it. */
const PlanBefore = z.looseObject({
  summary: z.string().optional(),
  steps: z.array(z.looseObject({ title: z.string(), check: z.string(), task: z.string().optional() })).optional(),
});

/**
 * All that a project of coding mode knows between two steps. Every checkpoint carries it. Other modes add keys of their
 * own. An attempt's diff and output have a key each, `attempt-P-001-2`: a checkpoint stores each key once.
 */
export const CodingContext = z.looseObject({
  order: owned<CodingOrder>(),
  healAttempts: z.number().optional(),
  uatRounds: z.number().optional(),
  forkedFrom: owned<JsonObject>().optional(),

  // The workspace.
  branch: z.string().optional(),
  baseCommit: z.string().optional(),
  commit: z.string().optional(),
  sandbox: z.string().optional(),
  notes: z.array(z.string()).optional(),
  /** The newest commit whose verification was no worse than the baseline. */
  good: CommitPlace.nullable().optional(),

  // The team and its reviews.
  team: Team.nullable().optional(),
  teamName: z.string().optional(),
  agents: z.array(z.string()).optional(),
  seats: z.array(owned<Seat>()).optional(),
  domains: z.array(z.string()).optional(),
  memories: z.array(z.string()).optional(),
  /** Skills that fit the request, if no seats have them. */
  skills: z.array(owned<MatchingSkill>()).optional(),
  fileNames: z.array(z.string()).optional(),
  repositoryMap: z.string().optional(),
  /** What AGENTS.md and its like say. */
  conventions: z.string().optional(),
  reviews: z.array(owned<Review>()).optional(),
  findings: z.array(Finding).optional(),
  findingCounts: z.strictObject({ P0: z.number(), P1: z.number(), P2: z.number() }).optional(),
  isReviewed: z.boolean().optional(),
  messages: z.array(TeamMessage).optional(),

  // The plan and its proof.
  baseline: owned<VerifyReport>().optional(),
  /** Tests that passed and failed on one tree. */
  flakyTests: z.array(z.string()).optional(),
  requestPlan: RequestPlan.nullable().optional(),
  checks: z.array(Check).optional(),
  /** Trees for which checks were asked for late. */
  lateChecks: z.array(z.string()).optional(),
  proof: ProofRecord.nullable().optional(),
  /** Evidence of the proof, as the API shows it. */
  evidence: z.array(z.string()).optional(),
  inspection: Inspection.nullable().optional(),
  /** Findings whose fix no other agent could read. */
  unreviewedFixes: z.array(z.string()).optional(),
  /** The finding that another agent confirmed last as fixed, and the tree that it read. */
  confirmedFix: z.strictObject({ finding: z.string(), commit: z.string() }).nullable().optional(),
  inspectionRulings: z.array(InspectionRuling).optional(),

  // The work.
  tasks: z.array(ProjectTask).optional(),
  verification: owned<VerifyReport | null>().optional(),
  verifiedAt: z.string().nullable().optional(),
  pending: z.looseObject({ summary: z.string().optional() }).nullable().optional(),
  healed: z.strictObject({ commit: z.string(), summary: z.string() }).nullable().optional(),
  problems: z.array(HealProblem).optional(),
  problem: z.string().nullable().optional(),
  trouble: Trouble.nullable().optional(),
  healing: owned<JsonObject | null>().optional(),
  /** Failed attempts in a row. */
  failures: z.number().optional(),
  isRolledBack: z.boolean().optional(),
  isCutShort: z.boolean().optional(),
  isNextSkipped: z.boolean().nullable().optional(),
  deferred: z.array(DeferredItem).optional(),
  leftByPerson: z.array(z.string()).optional(),
  orphansSeen: z.number().optional(),

  // How it is judged.
  scenarios: z.array(Scenario).optional(),
  isProven: z.boolean().optional(),
  doubt: z.string().nullable().optional(),
  needsProof: z.boolean().nullable().optional(),
  isChangedByPerson: z.boolean().optional(),
  isAccepted: z.boolean().nullable().optional(),
  isWhollyAccepted: z.boolean().nullable().optional(),
  simulated: z.boolean().optional(),

  // What people said and decided.
  decision: Decision.nullable().optional(),
  command: Command.nullable().optional(),
  block: Block.nullable().optional(),
  why: z.string().nullable().optional(),
  feedback: z.array(z.string()).optional(),
  approval: z.string().optional(),

  // What the states before of classic and work mode leave to those that all modes share.
  questions: z.array(owned<JsonObject>()).optional(),
  assumptions: z.string().optional(),
  plan: PlanBefore.nullable().optional(),
  isPlanGateOff: z.boolean().optional(),
  /** Whether nobody has approved the plan. */
  isPlanDraft: z.boolean().nullable().optional(),
  escalatedBecause: z.array(z.string()).optional(),
  /** What agents came across before anybody reviewed. */
  reports: z.array(owned<AgentFindings>()).optional(),

  // The end.
  files: owned<Changes>().optional(),
  recorded: z.string().optional(),
});
export type CodingContext = z.infer<typeof CodingContext>;

/** What a step changes of the context. */
export type ContextPatch = Partial<CodingContext>;

/** The context of a visit with its types. The one place that trusts what a checkpoint holds. */
export const contextOf = ({ context }: Pick<ActivityContext, 'context'>): CodingContext =>
  context as unknown as CodingContext;

/** A typed patch as the engine takes it. */
export const patchOf = (patch: ContextPatch): JsonObject => patch as JsonObject;
