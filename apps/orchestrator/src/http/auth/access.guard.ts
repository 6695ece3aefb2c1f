import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { EngineBug, UserError } from '#kernel';
import { routeOf } from '../endpoint.js';
import { requestState } from '../request/request-state.js';
import type { Authenticator } from './authenticator.js';

/** Lets a request through to its route as the route table says; a handler that is not in the table is closed. */
export class AccessGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = routeOf(context);
    if (!route) throw new EngineBug('ROUTE_UNKNOWN', 'a handler is not in the route table');
    if (route.access === 'open') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticator.authenticate(request.get('authorization'));
    const { scope, human } = route.access;
    if (!caller.scopes.includes(scope)) {
      throw new UserError('SCOPE_MISSING', `The API key lacks the scope ${scope}. Use one that has it.`, { scope });
    }
    if (human === true && caller.principal !== 'human') throw humanRequired('This');
    requestState(request).caller = caller;
    return true;
  }
}

export const humanRequired = (what: string): UserError =>
  new UserError('HUMAN_REQUIRED', `${what} needs the API key of a human principal; this one belongs to a service.`);
