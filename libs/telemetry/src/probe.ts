import { type Attributes, type Context, context, trace } from '@opentelemetry/api';
import type { Probe, SpanDetails, SpanName } from '#engine';
import type { Metrics } from './metrics.js';
import { attributeName, SPAN, WORK_ATTRIBUTE } from './names.js';
import { contextOf, inSpan } from './spans.js';
import { currentTracer } from './tracing.js';

export interface ProbeListeners {
  readonly metrics?: Pick<Metrics, 'transition' | 'report' | 'effect' | 'leaseLost'>;
  readonly warn?: (details: Readonly<Record<string, unknown>>, message: string) => void;
}

/** What the engine says of itself, as spans, figures and log lines. */
export function telemetryProbe({ metrics, warn }: ProbeListeners = {}): Probe {
  return {
    reached: (moment, { machine, state, to, report }) => {
      if (moment === 'committed' && report) metrics?.report(machine, report, to !== state ? to : undefined);
      if (moment === 'committed') metrics?.transition(machine, state);
      if (moment === 'lease-lost') metrics?.leaseLost();
    },
    within: (name, details, work) => {
      const counted = name === 'effect' && metrics ? () => countOutcome(metrics, work) : work;
      if (currentTracer()) return traced(name, details, counted);
      // Without spans the log still knows its project. What happens inside of one adds nothing to that.
      return name === 'project' ? context.with(contextOf(details), counted) : counted();
    },
    warn: (message, details) => warn?.(details, message),
  };
}

async function countOutcome<T>(metrics: Pick<Metrics, 'effect'>, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    metrics.effect('done');
    return result;
  } catch (error) {
    const wasStopped = error instanceof Error && (error.name === 'Interrupted' || error.name === 'LeaseLost');
    metrics.effect(wasStopped ? 'interrupted' : 'failed');
    throw error;
  }
}

function traced<T>(name: SpanName, details: SpanDetails, work: () => Promise<T>): Promise<T> {
  const attributes: Attributes = {};
  for (const [key, value] of Object.entries(details.attributes)) {
    const outside = attributeName(key);
    if (outside !== null) attributes[outside] = value;
  }
  const under = contextOf(details);
  if (name !== 'project') return inSpan(SPAN[name], { attributes }, under, work);
  const { machine = '' } = details.attributes;
  const claimed = pointSpan(
    `${SPAN.project} ${String(machine)}`.trimEnd(),
    { ...attributes, [WORK_ATTRIBUTE.operation]: SPAN.project },
    under,
  );
  return inSpan(SPAN.drive, { attributes }, claimed, () => context.with(claimed, work));
}

/**
 * A span that ends as it begins, and the context below it. A worker that is killed never ends its spans, and a span
 * that never ended is never sent: whatever hung on it would hang in the air.
 */
function pointSpan(name: string, attributes: Attributes, under: Context): Context {
  const span = currentTracer()?.startSpan(name, { attributes }, under);
  span?.end();
  return span ? trace.setSpan(under, span) : under;
}
