import { randomBytes } from 'node:crypto';
import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C trace context, as it travels in headers, rows and jobs. Null for anything that is not one. */
export function parseTraceparent(text: string | null | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  const context: SpanContext = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** For a request that brings none while nothing is traced here: a project has a trace id in any case. */
export const newTraceparent = (): string =>
  formatTraceparent({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: TraceFlags.SAMPLED,
  });
