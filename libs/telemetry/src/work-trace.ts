import { type Attributes, context, SpanKind, trace } from '@opentelemetry/api';
import type { SpanFacts, Trace, WorkKind } from '#kernel';
import type { Metrics } from './metrics.js';
import { WORK_ATTRIBUTE, WORK_SPAN } from './names.js';
import { inSpan } from './spans.js';
import { currentTracer } from './tracing.js';

/** What agents and models do, as spans by the GenAI conventions and as figures. */
export function telemetryTrace(metrics?: Pick<Metrics, 'modelCall'>): Trace {
  return {
    within: async (kind, about, facts, work) => {
      const began = performance.now();
      const all: Record<string, SpanFacts[string]> = { ...facts };
      const isOut = kind === 'chat' || kind === 'inquiry';
      const options = { kind: isOut ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: named(kind, facts) };
      try {
        return await inSpan(`${WORK_SPAN[kind]} ${about}`, options, context.active(), () =>
          work((more) => {
            Object.assign(all, more);
            trace.getActiveSpan()?.setAttributes(named(kind, more));
          }),
        );
      } finally {
        if (kind === 'chat') metrics?.modelCall(all, (performance.now() - began) / 1_000);
      }
    },
    traceId: () => trace.getSpanContext(context.active())?.traceId ?? null,
  };
}

/** Our names turned into those of the conventions; what they have no name for is ours alone. */
function named(kind: WorkKind, facts: SpanFacts): Attributes {
  const attributes: Attributes = currentTracer() ? { [WORK_ATTRIBUTE.operation]: WORK_SPAN[kind] } : {};
  for (const [name, value] of Object.entries(facts)) {
    if (value === null) continue;
    const outside = Object.hasOwn(WORK_ATTRIBUTE, name) ? WORK_ATTRIBUTE[name as keyof typeof WORK_ATTRIBUTE] : null;
    // The conventions want a list: a provider may give several answers to one call.
    attributes[outside ?? `qralph.${name}`] = outside === WORK_ATTRIBUTE.stop ? [String(value)] : value;
  }
  return attributes;
}
