import type { ServiceFacts } from '#contracts';
import type { Logger, Metrics } from '#telemetry';
import type {
  BudgetDesk,
  CapabilityReads,
  CheckpointReads,
  CommandReads,
  CostReads,
  EventLog,
  IdempotencyStore,
  KeyRing,
  MemoryDesk,
  NoteDesk,
  PatternReads,
  ProcessReads,
  ProjectDesk,
  ProjectReads,
  Readiness,
  SummaryReads,
  TeamReads,
  WebhookDesk,
  WorkspaceReads,
} from './ports.js';

/** Everything the API is made of; whoever starts the process binds it. */
export interface HttpDeps {
  readonly config: { readonly host: string; readonly allowedHosts: readonly string[] };
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly desk: ProjectDesk;
  readonly reads: ProjectReads;
  readonly eventLog: EventLog;
  readonly checkpoints: CheckpointReads;
  readonly commands: CommandReads;
  readonly workspaces: WorkspaceReads;
  readonly summaries: SummaryReads;
  readonly teams: TeamReads;
  readonly costs: CostReads;
  readonly budgets: BudgetDesk;
  readonly memory: MemoryDesk;
  readonly notes: NoteDesk;
  readonly webhooks: WebhookDesk;
  readonly processes: ProcessReads;
  readonly patterns: PatternReads;
  readonly capabilities: CapabilityReads;
  readonly keys: KeyRing;
  readonly idempotency: IdempotencyStore;
  readonly readiness: Readiness;
  readonly facts: ServiceFacts;
  /** How many event streams may be open at once. */
  readonly mostStreams?: number;
}

/** Injection tokens, one per dependency: the compiler's metadata is not relied on. */
export const METRICS = Symbol('Metrics');
export const PROJECT_DESK = Symbol('ProjectDesk');
export const PROJECT_READS = Symbol('ProjectReads');
export const CHECKPOINT_READS = Symbol('CheckpointReads');
export const COMMAND_READS = Symbol('CommandReads');
export const WORKSPACE_READS = Symbol('WorkspaceReads');
export const SUMMARY_READS = Symbol('SummaryReads');
export const TEAM_READS = Symbol('TeamReads');
export const COST_READS = Symbol('CostReads');
export const CAPABILITY_READS = Symbol('CapabilityReads');
export const PROCESS_READS = Symbol('ProcessReads');
export const MEMORY_DESK = Symbol('MemoryDesk');
export const NOTE_DESK = Symbol('NoteDesk');
export const WEBHOOK_DESK = Symbol('WebhookDesk');
export const PATTERN_READS = Symbol('PatternReads');
export const BUDGET_DESK = Symbol('BudgetDesk');
export const READINESS = Symbol('Readiness');
export const SERVICE_FACTS = Symbol('ServiceFacts');
