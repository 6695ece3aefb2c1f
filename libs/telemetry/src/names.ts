/** Every name that leaves this process in a span or a metric. */
export const SPAN = {
  request: 'request',
  queueHop: 'queue',
  /** A worker took the project: a point in time that everything it then does hangs on. */
  project: 'project',
  /** How long the worker kept it. */
  drive: 'drive',
  activity: 'activity',
  effect: 'effect',
  transition: 'transition',
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
  serviceName: 'service.name',
  instanceId: 'service.instance.id',
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
} as const;

/** What an attribute that the engine gives a span is called outside; one that has no name here stays here. */
export const attributeName = (name: string): string | null =>
  Object.hasOwn(ATTRIBUTE, name) ? ATTRIBUTE[name as keyof typeof ATTRIBUTE] : null;
