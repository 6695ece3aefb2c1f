import type {
  ApiKey,
  ChangeBudget,
  ChangeWebhook,
  Artifact,
  ArtifactContent,
  Capabilities,
  Checkpoint,
  CheckpointDetail,
  Command,
  CommandAccepted,
  CostGroup,
  CostQuery,
  DecideGate,
  DecisionAccepted,
  DeliveryQuery,
  Finding,
  FindingQuery,
  Gate,
  GivenCommand,
  GiveNote,
  HealProblem,
  HealPattern,
  LiveProcess,
  MachineView,
  MemoryEntry,
  MemoryQuery,
  NewMemory,
  Note,
  NoteAccepted,
  NewWebhook,
  Page,
  PageQuery,
  PatternQuery,
  Principal,
  Project,
  ProjectCosts,
  ProjectDiff,
  ProjectEvent,
  ProjectQuery,
  ProjectSummary,
  ProjectTask,
  ReadinessReport,
  Scope,
  RotateSecret,
  StartedProject,
  StartProject,
  Team,
  TeamMessage,
  VerifyResult,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookQuery,
  WebhookWithSecret,
} from '#contracts';

/**
 * What the API needs of the rest of the program. Glossary:
 * - caller: who holds the key a request came with.
 * - operation: one intent of a caller. Repeating a request under one Idempotency-Key is the same operation, with the
 *   same id, even across a crash of this process and in two of them at once: whoever creates or changes something keeps
 *   the id with it, and what was done already is answered again, not done again.
 */
export interface Caller {
  readonly keyId: string;
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
}

export interface Operation {
  readonly id: string;
  readonly by: Pick<Caller, 'keyId' | 'principal'>;
  /** W3C trace context of the request. */
  readonly traceparent: string;
}

/** Moves projects. Every `idOrName` is a uuid or `NNN-slug`; an unknown one is PROJECT_NOT_FOUND. */
export interface ProjectDesk {
  /** The project's id is the operation's. */
  start(order: StartProject, operation: Operation): Promise<StartedProject>;
  /** The command's id is the operation's. COMMAND_NOT_ALLOWED lists what is allowed in `details.allowed`. */
  /** With the checkpoint that its sender looked at, where that is said. */
  command(idOrName: string, command: Command, operation: Operation, checkpoint?: number): Promise<CommandAccepted>;
  /** The decision's id is the operation's. */
  decide(idOrName: string, gate: string, decision: DecideGate, operation: Operation): Promise<DecisionAccepted>;
  verify(idOrName: string): Promise<VerifyResult>;
  /** The operation's id is in the event that tells of it. */
  restore(idOrName: string, seq: number, operation: Operation): Promise<Project>;
  /** The new project's id is the operation's. */
  fork(idOrName: string, seq: number, operation: Operation): Promise<Project>;
  machines(): Promise<readonly MachineView[]>;
}

/** Where projects stand, read from their rows and events. */
export interface ProjectReads {
  list(query: ProjectQuery): Promise<Page<Project>>;
  get(idOrName: string): Promise<Project>;
  idOf(idOrName: string): Promise<string>;
  events(idOrName: string, after: number, limit: number): Promise<Page<ProjectEvent>>;
  gates(idOrName: string): Promise<readonly Gate[]>;
  openGates(query: PageQuery): Promise<Page<Gate>>;
}

/** What was commanded. */
export interface CommandReads {
  list(projectId: string, query: PageQuery): Promise<Page<GivenCommand>>;
}

/** What event streams are fed from. */
export interface EventLog {
  idOf(idOrName: string): Promise<string>;
  heads(projectIds: readonly string[]): Promise<ReadonlyMap<string, EventHead>>;
  eventsAfter(projectId: string, after: number, limit: number): Promise<readonly ProjectEvent[]>;
}

export interface EventHead {
  readonly seq: number;
  /** Nothing follows the event `seq`. */
  readonly hasEnded: boolean;
}

export interface CheckpointReads {
  list(projectId: string, query: PageQuery): Promise<Page<Checkpoint>>;
  read(projectId: string, seq: number): Promise<CheckpointDetail>;
}

/** What a project did in its repository. */
export interface WorkspaceReads {
  diff(project: Project): Promise<ProjectDiff>;
  artifacts(project: Project): Promise<readonly Artifact[]>;
  artifact(project: Project, name: string): Promise<ArtifactContent>;
}

/** Where a project stands, in under 2,000 tokens. */
export interface SummaryReads {
  of(idOrName: string): Promise<ProjectSummary>;
  /** The same as markdown. */
  text(summary: ProjectSummary): string;
}

/** What a project's team is, does and says. */
export interface TeamReads {
  /** TEAM_NONE where there is none, or none yet. */
  team(projectId: string): Promise<Team>;
  tasks(projectId: string, query: PageQuery): Promise<Page<ProjectTask>>;
  messages(projectId: string, query: PageQuery): Promise<Page<TeamMessage>>;
  findings(projectId: string, query: FindingQuery): Promise<Page<Finding>>;
  problems(projectId: string, query: PageQuery): Promise<Page<HealProblem>>;
}

/** What runs for projects, beside what is registered. */
export interface ProcessReads {
  /** Of one project, or of all. */
  list(projectId?: string): Promise<readonly LiveProcess[]>;
}

/** What a team can be chosen from. */
export interface CapabilityReads {
  /** A repository that the service may not work on is refused as it is at a start. */
  of(repo: string): Promise<Capabilities>;
}

/** What the ledger says. */
export interface CostReads {
  ofProject(projectId: string, query: PageQuery): Promise<ProjectCosts>;
  groups(query: CostQuery): Promise<Page<CostGroup>>;
}

/** What outlives projects. */
export interface MemoryDesk {
  list(query: MemoryQuery): Promise<Page<MemoryEntry>>;
  /** The id of a new entry is the operation's. */
  add(entry: NewMemory, id: string): Promise<MemoryEntry>;
  /** MEMORY_NOT_FOUND where there is no such entry. */
  forget(id: string): Promise<void>;
}

/** What healed which error. */
export interface PatternReads {
  list(query: PatternQuery): Promise<Page<HealPattern>>;
}

/** Who is told outside. WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND where there is no such thing. */
export interface WebhookDesk {
  /** The endpoint's id is the operation's. WEBHOOK_URL_REFUSED for an address that nothing is sent to. */
  create(order: NewWebhook, operation: Operation): Promise<WebhookWithSecret>;
  get(id: string): Promise<WebhookEndpoint>;
  list(query: WebhookQuery): Promise<Page<WebhookEndpoint>>;
  change(id: string, change: ChangeWebhook): Promise<WebhookEndpoint>;
  remove(id: string): Promise<void>;
  rotateSecret(id: string, wish: RotateSecret): Promise<WebhookWithSecret>;
  /** WEBHOOK_DISABLED for one that is switched off; the same for `redeliver`. */
  test(id: string): Promise<WebhookDelivery>;
  deliveries(id: string, query: DeliveryQuery): Promise<Page<WebhookDelivery>>;
  redeliver(id: string, deliveryId: string): Promise<WebhookDelivery>;
}

export interface BudgetDesk {
  /** HUMAN_REQUIRED for a service that wants to raise a cap. */
  change(idOrName: string, caps: ChangeBudget, operation: Operation): Promise<Project>;
}

/** What people say to the agents of a project. */
export interface NoteDesk {
  /** The note's id is the operation's. AGENT_UNKNOWN lists who there is in `details.agents`. */
  give(idOrName: string, note: GiveNote, operation: Operation): Promise<NoteAccepted>;
  list(idOrName: string, query: PageQuery): Promise<Page<Note>>;
}

export interface KeyRing {
  find(hash: string): Promise<(ApiKey & { readonly hash: string }) | null>;
  add(key: {
    readonly name: string;
    readonly hash: string;
    readonly principal: Principal;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Date | null;
  }): Promise<ApiKey>;
  list(query: PageQuery): Promise<Page<ApiKey>>;
  /** Resolves to the hash of the revoked key. */
  revoke(id: string): Promise<string>;
  hasAdmin(): Promise<boolean>;
}

export interface IdempotencyStore {
  begin(principalId: string, key: string, requestHash: string): Promise<Beginning>;
  complete(principalId: string, key: string, status: number, response: string): Promise<void>;
  abandon(principalId: string, key: string): Promise<void>;
  sweep(): Promise<void>;
}

export type Beginning =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'answered'; readonly status: number; readonly response: string };

export interface Readiness {
  check(): Promise<ReadinessReport['checks']>;
}
