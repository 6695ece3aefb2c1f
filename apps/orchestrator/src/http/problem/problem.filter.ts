import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from '#telemetry';
import { requestState } from '../request/request-state.js';
import { methodsOf } from './allowed-methods.js';
import { problemOf } from './problem-of.js';

/** Every failure leaves as application/problem+json (RFC 9457). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { id, operationId } = requestState(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const asked = { requestId: id, isRead, isKeyed: operationId !== undefined };
    const { problem, headers, isOurs } = problemOf(methodsOf(request, error), asked);
    if (isOurs) this.logger.error({ requestId: id, error }, 'a request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What is left of a body that nobody will read must not hold the connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.status(problem.status).set(headers).type('application/problem+json').send(JSON.stringify(problem));
  }
}
