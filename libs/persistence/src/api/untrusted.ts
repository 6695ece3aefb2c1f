import { type Json, redactedTexts, secrets } from '#kernel';

/** A schema of the contract. */
interface Schema<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

/** A value of the store as the contract has it; null for anything else. */
export function fitting<T>(schema: Schema<T>, value: unknown): T | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Those of a list that are as the contract has them. */
export const allFitting = <T>(schema: Schema<T>, values: unknown): T[] =>
  Array.isArray(values) ? values.flatMap((value: unknown) => fitting(schema, value) ?? []) : [];

/** For what fits only: a value of any depth would be walked through to its end. */
export const redacted = <T>(value: T): T => redactedTexts(value as Json, (text) => secrets.redact(text)) as T;
