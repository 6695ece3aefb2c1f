import { z } from 'zod';
import type { Json } from '#kernel';

/** Text that every store can carry unchanged: no U+0000 (Postgres refuses it) and no half of a surrogate pair. */
export const text = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\u0000'), { error: 'must not carry the character U+0000' })
    .refine((value) => !/\p{Surrogate}/u.test(value), { error: 'must be well-formed Unicode' });

export const isoTime = z.iso.datetime({ offset: true });

/** Money is a decimal text: a binary fraction would not keep it. */
export const usd = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, { error: 'must be a decimal amount such as "40.00"' });

/** A cap in tokens. */
export const tokens = z.int().min(1).max(1_000_000_000_000);

export const checksum = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Any JSON value. What is checked comes out of a JSON parser, so there is nothing left to check. */
export const anyJson = z.unknown() as z.ZodType<Json, Json>;

/** The number of a checkpoint that somebody says they looked at. */
export const checkpointSeen = z.int().min(1).max(2_147_483_647);
