import type { NextFunction, Request, Response } from 'express';
import { newId } from '#kernel';
import { type Logger, type Metrics, parseTraceparent, withRequestSpan } from '#telemetry';
import { rememberRequest } from './request-state.js';

const GIVEN_ID = /^[\w.-]{1,128}$/;
const QUIET = /^\/(health|metrics)(\/|$)/;

/** Gives every request an id, a span, a line in the log and its place in the figures. */
export function accompany(logger: Logger, metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const { method, path } = request;
    const given = request.get('x-request-id');
    const id = given !== undefined && GIVEN_ID.test(given) ? given : newId();
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    withRequestSpan({ method, path, traceparent: request.get('traceparent') }, (span) => {
      rememberRequest(request, { id, traceparent: span.traceparent });
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : 499;
        const route = templateOf(request);
        const seconds = (performance.now() - startedAt) / 1_000;
        const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream');
        metrics.httpRequest({ method, route, status, seconds, isStream });
        span.end({ route, status });
        const traceId = parseTraceparent(span.traceparent)?.traceId;
        const line = { requestId: id, traceId, method, path, status, ms: Math.round(seconds * 1_000) };
        if (QUIET.test(path)) logger.debug(line, 'answered');
        else logger.info(line, 'answered');
      });
      next();
    });
  };
}

/** The route's template, never the path itself: a metric must not have a label per project. */
function templateOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  if (typeof route?.path === 'string') return route.path;
  return request.path.startsWith('/docs') ? '/docs' : 'none';
}
