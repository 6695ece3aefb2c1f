import { HttpException } from '@nestjs/common';
import type { Request } from 'express';
import { type Route, routes } from '#contracts';
import { UserError } from '#kernel';

const patterns = Object.values<Route>(routes).map((route) => ({
  method: route.method.toUpperCase(),
  pattern: patternOf(route),
}));

function patternOf({ path, rest }: Route): RegExp {
  const literal = path.replace(/[.]/g, '\\.');
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, (_, name) => (name === rest ? '.+' : '[^/]+'))}/?$`);
}

/** The router says "not found" for a known address with another method too; this tells the two apart. */
export function methodsOf(request: Request, error: unknown): unknown {
  if (!(error instanceof HttpException) || error.getStatus() !== 404) return error;
  const allowed = patterns.filter(({ pattern }) => pattern.test(request.path)).map(({ method }) => method);
  if (allowed.length === 0 || allowed.includes(request.method)) return error;
  const list = allowed.join(', ');
  return new UserError('METHOD_NOT_ALLOWED', `This address takes ${list}.`, { allowed: list });
}
