import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { UserError } from '#kernel';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** Of zod, beyond Standard Schema. */
  readonly code?: string;
  readonly origin?: string;
}

const PLACES = {
  body: { code: 'BODY_INVALID', name: 'body' },
  query: { code: 'QUERY_INVALID', name: 'query' },
  param: { code: 'PATH_INVALID', name: 'path' },
} as const;

/** Holds what comes in against the contract's schema; everything that is wrong is told at once. */
export class ContractPipe implements PipeTransform {
  async transform(value: unknown, { type, schema }: ArgumentMetadata): Promise<unknown> {
    if (!schema || type === 'custom') return value;
    const result = await schema['~standard'].validate(type === 'param' ? asWritten(value) : value);
    if (!result.issues) return result.value;
    throw refusal(PLACES[type === 'body' || type === 'query' ? type : 'param'], result.issues);
  }
}

/** The router gives a parameter that takes the rest of the path as its parts. */
const asWritten = (params: unknown): unknown =>
  Object.fromEntries(
    Object.entries(params as Record<string, unknown>).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('/') : value,
    ]),
  );

function refusal(place: { readonly code: string; readonly name: string }, issues: readonly Issue[]): UserError {
  const listed = issues.slice(0, 20).map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const isTooLong = issues.some((issue) => issue.code === 'too_big' && issue.origin === 'string');
  const code = place.name === 'body' && isTooLong ? 'TEXT_TOO_LONG' : place.code;
  const told = listed.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new UserError(code, `The ${place.name} is not as /openapi.json describes it. ${told}`, { issues: listed });
}

function pathOf({ path = [] }: Issue): string {
  const parts = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return parts.length === 0 ? '(whole)' : parts.join('.');
}
