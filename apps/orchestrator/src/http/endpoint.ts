import {
  applyDecorators,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Patch,
  Post,
  SetMetadata,
} from '@nestjs/common';
import type { Route } from '#contracts';

const ROUTE = Symbol('Route');
const METHODS = { get: Get, post: Post, patch: Patch, delete: Delete } as const;

/** Registers a handler as its entry in the route table says: method, path, status, and who may call it. */
export function Endpoint(route: Route): MethodDecorator {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => `${name === route.rest ? '*' : ':'}${name}`);
  return applyDecorators(METHODS[route.method](path), HttpCode(route.success.status), SetMetadata(ROUTE, route));
}

export function routeOf(context: ExecutionContext): Route | undefined {
  return Reflect.getMetadata(ROUTE, context.getHandler()) as Route | undefined;
}
