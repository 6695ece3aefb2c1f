/** Every name that leaves this process in a span or a metric. */
export const SPAN = {
  request: 'request',
  queueHop: 'queue',
  /** A worker took the project: a point in time that everything it then does hangs on. The GenAI conventions' name. */
  project: 'invoke_workflow',
  /** How long the worker kept it. */
  drive: 'drive',
  activity: 'activity',
  effect: 'effect',
  transition: 'transition',
  webhook: 'webhook',
} as const;

/** OpenTelemetry's own names where it has them. */
export const ATTRIBUTE = {
  projectId: 'qralph.project.id',
  machine: 'qralph.machine',
  state: 'qralph.state',
  from: 'qralph.state.from',
  to: 'qralph.state.to',
  visit: 'qralph.visit',
  activity: 'qralph.activity',
  cause: 'qralph.cause',
  epoch: 'qralph.lease.epoch',
  key: 'qralph.effect.key',
  job: 'messaging.destination.name',
  errorType: 'error.type',
  method: 'http.request.method',
  route: 'http.route',
  path: 'url.path',
  status: 'http.response.status_code',
  webhookType: 'qralph.webhook.type',
  webhookId: 'qralph.webhook.id',
  delivery: 'qralph.webhook.delivery',
  attempt: 'qralph.webhook.attempt',
  serviceName: 'service.name',
  instanceId: 'service.instance.id',
} as const;

/** Operations of OpenTelemetry's GenAI conventions (in development as of semantic conventions 1.40); the last two are ours. */
export const WORK_SPAN = {
  agent: 'invoke_agent',
  chat: 'chat',
  tool: 'execute_tool',
  command: 'command',
  inquiry: 'inquiry',
} as const;

/** Facts about agents, models and tools by their names in the GenAI conventions. */
export const WORK_ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  answeredBy: 'gen_ai.response.model',
  answerId: 'gen_ai.response.id',
  stop: 'gen_ai.response.finish_reasons',
  conversation: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  input: 'gen_ai.usage.input_tokens',
  output: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  errorCode: 'error.type',
  /** The version of the prompt, which the conventions have no name for. */
  prompt: 'qralph.prompt.version',
  /** The conventions have no name for money. */
  costUsd: 'qralph.cost.usd',
} as const;

export const METRIC = {
  projects: 'qralph_projects',
  transitions: 'qralph_transitions_total',
  queueLag: 'qralph_queue_lag_seconds',
  leases: 'qralph_leases_held',
  effects: 'qralph_effects_total',
  leasesLost: 'qralph_leases_lost_total',
  httpRequests: 'qralph_http_requests_total',
  httpDuration: 'qralph_http_request_duration_seconds',
  streams: 'qralph_event_streams',
  tokens: 'gen_ai_client_token_usage',
  modelDuration: 'gen_ai_client_operation_duration_seconds',
  modelCalls: 'qralph_model_calls_total',
  cost: 'qralph_model_cost_usd_total',
  findings: 'qralph_findings_total',
  healAttempts: 'qralph_heal_attempts_total',
  blocks: 'qralph_blocks_total',
  scenarios: 'qralph_scenarios_total',
  proofs: 'qralph_proofs_total',
  failedRules: 'qralph_proof_failed_rules_total',
  checks: 'qralph_checks_total',
  cleanRuns: 'qralph_clean_room_duration_seconds',
  commands: 'qralph_commands_total',
  decisions: 'qralph_decisions_total',
  notes: 'qralph_notes_total',
  notesDelivered: 'qralph_notes_delivered_total',
  webhookAttempts: 'qralph_webhook_attempts_total',
  webhookDuration: 'qralph_webhook_attempt_duration_seconds',
  webhookLag: 'qralph_webhook_lag_seconds',
  webhookPending: 'qralph_webhook_pending',
  webhookOldest: 'qralph_webhook_pending_oldest_seconds',
  webhookEnded: 'qralph_webhook_ended_last_hour',
} as const;

/** What an attribute that the engine gives a span is called outside; one that has no name here stays here. */
export const attributeName = (name: string): string | null =>
  Object.hasOwn(ATTRIBUTE, name) ? ATTRIBUTE[name as keyof typeof ATTRIBUTE] : null;
