import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { EngineBug, newId } from '#kernel';
import type { Caller, Operation } from '../ports.js';

/** What is known of a request beside its own words. */
export interface RequestState {
  readonly id: string;
  readonly traceparent: string;
  caller?: Caller;
  /** Set when the request came with an Idempotency-Key that its route honours. */
  operationId?: string;
}

const states = new WeakMap<Request, RequestState>();

export const rememberRequest = (request: Request, state: RequestState): void => void states.set(request, state);

export function requestState(request: Request): RequestState {
  const state = states.get(request);
  if (!state) throw new EngineBug('REQUEST_UNKNOWN', 'a request came past the middleware that knows it');
  return state;
}

export function callerOf(request: Request): Caller {
  const { caller } = requestState(request);
  if (!caller) throw new EngineBug('CALLER_UNKNOWN', 'a handler asked for the caller of an open route');
  return caller;
}

/** The operation that the request asks for. */
export const AsOperation = createParamDecorator((_data: unknown, context: ExecutionContext): Operation => {
  const request = context.switchToHttp().getRequest<Request>();
  const { operationId, traceparent } = requestState(request);
  const { keyId, principal } = callerOf(request);
  return { id: operationId ?? newId(), by: { keyId, principal }, traceparent };
});
