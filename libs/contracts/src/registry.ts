import { z } from 'zod';

/** The schemas that have a name in the OpenAPI document. A registry of our own: the global one outlives a module. */
export const named = z.registry<{ id: string }>();

export function name<S extends z.ZodType>(id: string, schema: S, description?: string): S {
  const told = description === undefined ? schema : schema.describe(description);
  named.add(told, { id });
  return told;
}
