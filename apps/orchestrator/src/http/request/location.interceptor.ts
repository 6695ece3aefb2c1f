import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { routeOf } from '../endpoint.js';

/** Says where the project that an answer speaks of can be found. */
export class LocationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!routeOf(context)?.success.hasLocation) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer: { readonly id: string }) => {
        response.setHeader('Location', `/v1/projects/${answer.id}`);
        return answer;
      }),
    );
  }
}
