import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { SpanFacts } from '#kernel';
import { modelFigures } from './model-metrics.js';
import { METRIC } from './names.js';
import { type CountsReports, reportFigures } from './report-metrics.js';
import { type CountsSteering, steeringFigures } from './steering-metrics.js';
import { type WebhookAttempt, type WebhookBacklog, webhookFigures, webhookGauges } from './webhook-metrics.js';

export interface ProjectCount {
  readonly machine: string;
  readonly state: string;
  readonly status: string;
  readonly count: number;
}

/** Figures that are asked for when somebody scrapes, not counted along the way. */
export interface MetricSources {
  readonly projects?: () => Promise<readonly ProjectCount[]>;
  readonly leasesHeld?: () => number;
  readonly eventStreams?: () => number;
  readonly webhooks?: () => Promise<WebhookBacklog>;
}

export interface HttpRequestFigures {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** A stream lasts as long as somebody looks: its length says nothing about speed. */
  readonly isStream: boolean;
}

export interface CleanRunFigures {
  readonly verdict: 'passed' | 'failed' | 'unproven';
  readonly seconds: number;
}

export interface Metrics extends CountsSteering {
  readonly contentType: string;
  transition(machine: string, state: string): void;
  /** An activity reported, and another state was entered for it; the facts are those of its event. */
  readonly report: CountsReports;
  effect(outcome: 'done' | 'failed' | 'interrupted'): void;
  leaseLost(): void;
  queueLag(seconds: number): void;
  httpRequest(figures: HttpRequestFigures): void;
  /** A call of a model has ended; the facts are those of its span. */
  modelCall(facts: SpanFacts, seconds: number): void;
  /** Commands have run in a clean room. */
  cleanRun(run: CleanRunFigures): void;
  webhookAttempt(attempt: WebhookAttempt): void;
  /** Binds a source that came to life after the metrics did. */
  watch(sources: MetricSources): void;
  render(): Promise<string>;
}

export function createMetrics(initial: MetricSources = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let sources = initial;
  collectDefaultMetrics({ register: registry });
  const transitions = new Counter({
    name: METRIC.transitions,
    help: 'Changes of projects committed by this process, by the state before: every transition, and pauses, waits and interim checkpoints, which stay',
    labelNames: ['machine', 'state'],
    registers,
  });
  const effects = new Counter({ name: METRIC.effects, help: 'Effects by outcome', labelNames: ['outcome'], registers });
  const lost = new Counter({
    name: METRIC.leasesLost,
    help: 'Projects that the worker of this process had to let go, as it could no longer write to them',
    registers,
  });
  const lag = new Histogram({
    name: METRIC.queueLag,
    help: 'Time from handing a job to the queue until this process took it',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const requests = new Counter({
    name: METRIC.httpRequests,
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: METRIC.httpDuration,
    help: 'Time to answer a request, streams aside',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const cleanRuns = new Histogram({
    name: METRIC.cleanRuns,
    help: 'Runs in clean rooms by verdict, with the time that the room took',
    labelNames: ['verdict'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800],
    registers,
  });
  const modelCall = modelFigures(registers);
  const report = reportFigures(registers);
  const webhookAttempt = webhookFigures(registers);
  gauges(registers, () => sources);
  webhookGauges(registers, () => sources.webhooks);
  return {
    contentType: registry.contentType,
    transition: (machine, state) => transitions.inc({ machine, state }),
    report,
    effect: (outcome) => effects.inc({ outcome }),
    leaseLost: () => lost.inc(),
    queueLag: (seconds) => lag.observe(Math.max(0, seconds)),
    httpRequest: ({ method, route, status, seconds, isStream }) => {
      requests.inc({ method, route, status: String(status) });
      if (!isStream) durations.observe({ method, route }, seconds);
    },
    modelCall,
    ...steeringFigures(registers),
    cleanRun: ({ verdict, seconds }) => cleanRuns.observe({ verdict }, seconds),
    webhookAttempt,
    watch: (more) => (sources = { ...sources, ...more }),
    render: () => registry.metrics(),
  };
}

function gauges(registers: Registry[], sources: () => MetricSources): void {
  new Gauge({
    name: METRIC.projects,
    help: 'Projects by machine, state and status, children included',
    labelNames: ['machine', 'state', 'status'],
    registers,
    async collect() {
      // With the database away the other figures matter most: these are missing then, rather than all.
      const rows =
        (await sources()
          .projects?.()
          .catch(() => [])) ?? [];
      this.reset();
      for (const { machine, state, status, count } of rows) this.set({ machine, state, status }, count);
    },
  });
  new Gauge({
    name: METRIC.leases,
    help: 'Projects that the worker of this process drives now',
    registers,
    collect() {
      this.set(sources().leasesHeld?.() ?? 0);
    },
  });
  new Gauge({
    name: METRIC.streams,
    help: 'Event streams open now',
    registers,
    collect() {
      this.set(sources().eventStreams?.() ?? 0);
    },
  });
}
