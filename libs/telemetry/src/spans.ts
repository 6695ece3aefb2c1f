import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { SpanDetails } from '#engine';
import { errorCode, errorMessage } from '#kernel';
import { ATTRIBUTE, SPAN } from './names.js';
import { formatTraceparent, newTraceparent, parseTraceparent } from './traceparent.js';
import { currentTracer } from './tracing.js';

const PROJECT = createContextKey('qralph.project');

export function currentProject(): string | undefined {
  const value = context.active().getValue(PROJECT);
  return typeof value === 'string' ? value : undefined;
}

/** The context whose spans are children of a span that lived elsewhere; without one, of the active span. */
export function contextUnder(traceparent: string | null | undefined): Context {
  const parent = parseTraceparent(traceparent);
  return parent ? trace.setSpanContext(context.active(), parent) : context.active();
}

/** The context of what the engine does, as far as it says which project and trace that belongs to. */
export function contextOf({ attributes: { projectId }, parent }: SpanDetails): Context {
  const under = contextUnder(parent);
  return typeof projectId === 'string' ? under.setValue(PROJECT, projectId) : under;
}

export function failed(span: Span, error: unknown): void {
  span.setAttribute(ATTRIBUTE.errorType, errorCode(error));
  span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error).slice(0, 500) });
}

export async function inSpan<T>(
  name: string,
  options: { kind?: SpanKind; attributes: Attributes },
  under: Context,
  work: () => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (!tracer) return work();
  const span = tracer.startSpan(name, options, under);
  try {
    return await context.with(trace.setSpan(under, span), work);
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** The consumer's side of a hop through the queue; the producer's context travelled in the job. */
export function queueAround<T>(
  jobName: string,
  traceparent: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const under = contextUnder(traceparent);
  if (!currentTracer()) return context.with(under, work);
  const options = { kind: SpanKind.CONSUMER, attributes: { [ATTRIBUTE.job]: jobName } };
  return inSpan(`${SPAN.queueHop} ${jobName}`, options, under, work);
}

export interface RequestSpan {
  /** To be stored with what the request starts, so that its spans hang together. */
  readonly traceparent: string;
  end(outcome: { readonly route: string; readonly status: number }): void;
}

/** Runs `work` under the request's span. The span ends when told, as an answer may outlive `work`. */
export function withRequestSpan<T>(
  request: { readonly method: string; readonly path: string; readonly traceparent?: string | undefined },
  work: (span: RequestSpan) => T,
): T {
  const tracer = currentTracer();
  if (!tracer) {
    const incoming = parseTraceparent(request.traceparent);
    const traceparent = incoming ? formatTraceparent(incoming) : newTraceparent();
    return work({ traceparent, end: () => undefined });
  }
  const under = contextUnder(request.traceparent);
  const attributes = { [ATTRIBUTE.method]: request.method, [ATTRIBUTE.path]: request.path };
  const span = tracer.startSpan(`${SPAN.request} ${request.method}`, { kind: SpanKind.SERVER, attributes }, under);
  const end: RequestSpan['end'] = ({ route, status }) => {
    span.updateName(`${SPAN.request} ${request.method} ${route}`);
    span.setAttributes({ [ATTRIBUTE.route]: route, [ATTRIBUTE.status]: status });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const traceparent = formatTraceparent(span.spanContext());
  return context.with(trace.setSpan(under, span), () => work({ traceparent, end }));
}

/** One attempt to tell somebody outside: a span of the project's trace. Neither address nor secret is in it. */
export async function withWebhookSpan<T extends { readonly status: number | null; readonly error: string | null }>(
  about: { readonly type: string; readonly webhookId: string; readonly delivery: string; readonly attempt: number },
  traceparent: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    [ATTRIBUTE.webhookType]: about.type,
    [ATTRIBUTE.webhookId]: about.webhookId,
    [ATTRIBUTE.delivery]: about.delivery,
    [ATTRIBUTE.attempt]: about.attempt,
  };
  const options = { kind: SpanKind.CLIENT, attributes };
  return inSpan(`${SPAN.webhook} ${about.type}`, options, contextUnder(traceparent), async () => {
    const answer = await work();
    const span = trace.getActiveSpan();
    if (answer.status !== null) span?.setAttribute(ATTRIBUTE.status, answer.status);
    if (answer.error !== null) span?.setStatus({ code: SpanStatusCode.ERROR, message: answer.error.slice(0, 500) });
    return answer;
  });
}
