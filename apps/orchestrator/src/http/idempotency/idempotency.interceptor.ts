import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, from, mergeMap, type Observable, of } from 'rxjs';
import type { Route } from '#contracts';
import { assertNever, canonicalJson, idFromName, type Json, sha256Hex, UserError } from '#kernel';
import { routeOf } from '../endpoint.js';
import type { IdempotencyStore } from '../ports.js';
import { callerOf, requestState } from '../request/request-state.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** `Idempotency-Key`: a request that is sent again is answered again, not done again. */
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly store: IdempotencyStore) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = routeOf(context);
    const key = request.get('idempotency-key');
    if (!route?.isIdempotent || key === undefined) return next.handle();
    if (!KEY.test(key)) {
      throw new UserError(
        'IDEMPOTENCY_KEY_INVALID',
        'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a uuid.',
      );
    }
    const { keyId } = callerOf(request);
    const hash = hashOf(request);
    // The same key and request always mean the same operation, so that a crash midway cannot make two of it.
    requestState(request).operationId = idFromName(`operation/${keyId}/${key}/${hash}`);
    const begun = await this.store.begin(keyId, key, hash);
    switch (begun.kind) {
      case 'fresh':
        return this.answerOnce(next.handle(), keyId, key, route);
      case 'answered':
        context.switchToHttp().getResponse<Response>().status(begun.status).setHeader('Idempotency-Replayed', 'true');
        return of(JSON.parse(begun.response) as Json);
      case 'in-flight':
        throw new UserError(
          'IDEMPOTENCY_IN_FLIGHT',
          'The first request with this Idempotency-Key is not answered yet. Send it again in a moment.',
        );
      case 'mismatch':
        throw new UserError(
          'IDEMPOTENCY_MISMATCH',
          'This Idempotency-Key was used for another request. Use a new key for a new request.',
        );
      default:
        return assertNever(begun);
    }
  }

  private answerOnce(answers: Observable<unknown>, keyId: string, key: string, route: Route): Observable<unknown> {
    return answers.pipe(
      mergeMap(async (answer) => {
        await this.store.complete(keyId, key, route.success.status, JSON.stringify(withheld(answer, route.shownOnce)));
        return answer;
      }),
      catchError((error: unknown) => from(this.giveUp(keyId, key, error))),
    );
  }

  private async giveUp(keyId: string, key: string, error: unknown): Promise<never> {
    // Where this fails too, the key frees itself after a few seconds.
    await this.store.abandon(keyId, key).catch(() => undefined);
    throw error;
  }
}

/** A secret that is shown once is not kept: whoever missed it has it replaced. */
function withheld(answer: unknown, path: readonly string[] = []): unknown {
  const [field, ...rest] = path;
  if (field === undefined || answer === null || typeof answer !== 'object') return answer;
  const fields = answer as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(fields, field)) return answer;
  return { ...fields, [field]: rest.length === 0 ? null : withheld(fields[field], rest) };
}

const hashOf = ({ method, path, body }: Request): string =>
  sha256Hex(`${method} ${path}\n${canonicalJson((body ?? null) as Json)}`);
