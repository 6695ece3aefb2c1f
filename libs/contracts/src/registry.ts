import { z } from 'zod';

/** The schemas that have a name in the OpenAPI document. A registry of our own: the global one outlives a module. */
export const named = z.registry<{ id: string; description?: string }>();

export function name<S extends z.ZodType>(id: string, schema: S, description?: string): S {
  named.add(schema, description === undefined ? { id } : { id, description });
  return schema;
}
