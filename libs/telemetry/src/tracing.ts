import { context, trace, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { ATTRIBUTE } from './names.js';
import { redacting } from './redacting-exporter.js';

export interface TracingSettings {
  readonly isExporting: boolean;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  readonly samplerRatio: number;
  readonly exportEveryMs: number;
}

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export interface Tracing {
  /** Sends what is left and switches tracing off; gives up after `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
}

let tracer: Tracer | null = null;

/** Null while nothing is traced: then no span is made at all. */
export const currentTracer = (): Tracer | null => tracer;

/**
 * Lets every log line know the project and the trace it is written for, and makes spans when there is somewhere to send
 * them to. The SDK is loaded only then.
 * Address, headers, time-outs and resource attributes are read from the standard OTEL_* variables by the SDK itself.
 */
export async function startTracing(
  settings: TracingSettings,
  instanceId: string,
  exporter?: SpanExporter,
): Promise<Tracing> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (!settings.isExporting && !exporter) return { stop: () => Promise.resolve(context.disable()) };
  const [sdk, resources] = await Promise.all([import('@opentelemetry/sdk-trace'), import('@opentelemetry/resources')]);
  const batches = new sdk.BatchSpanProcessor({
    exporter: redacting(exporter ?? (await otlpExporter())),
    scheduledDelayMillis: settings.exportEveryMs,
    maxQueueSize: 65_536,
    maxExportBatchSize: 2_048,
  });
  const named = resources.resourceFromAttributes({
    [ATTRIBUTE.serviceName]: settings.serviceName,
    [ATTRIBUTE.instanceId]: instanceId,
  });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(detected).merge(named),
    sampler: samplerOf(sdk, settings),
    spanProcessors: [batches],
  });
  trace.setGlobalTracerProvider(provider);
  tracer = provider.getTracer('qralph');
  return { stop: (deadlineMs) => stop(() => provider.shutdown(), deadlineMs) };
}

async function otlpExporter(): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), settings: TracingSettings): Sampler {
  const byName = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(settings.samplerRatio),
  };
  const [root, isParentBased] = settings.sampler.startsWith('parentbased_')
    ? [settings.sampler.slice('parentbased_'.length), true]
    : [settings.sampler, false];
  const sampler = byName[root as keyof typeof byName]();
  return isParentBased ? new sdk.ParentBasedSampler({ root: sampler }) : sampler;
}

async function stop(shutdown: () => Promise<void>, deadlineMs: number): Promise<void> {
  tracer = null;
  const deadline = new AbortController();
  const late = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, deadlineMs);
    deadline.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  // A collector that is away costs spans, never the shutdown.
  await Promise.race([shutdown().catch(() => undefined), late]);
  deadline.abort();
  trace.disable();
  context.disable();
}
