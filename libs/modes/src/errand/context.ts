import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { CodingContext } from '../coding/context.js';
import type { ShownAttempt } from '../coding/earlier-attempts.js';

/** All that an errand knows between two steps: what it shares with coding mode, and keys of its own. */
export const ErrandContext = CodingContext.extend({
  /** How often the work may be sent back. */
  attempts: z.number().optional(),

  // The last attempt.
  attempt: z.number().optional(),
  said: z.string().optional(),
  /** What the checks printed that failed on it. */
  doubtOutput: z.string().nullable().optional(),
  /** Whether a check failed on it. Its implementer may then say that the check is wrong. */
  hasRedCheck: z.boolean().optional(),
  /** Why the implementer says that a check is wrong. */
  wrongCheck: z.string().nullable().optional(),
  /** Why only a person may accept the last heal, and the commit that the heal began from. */
  neverHealed: z.strictObject({ why: z.string(), startCommit: z.string() }).nullable().optional(),

  // Those before.
  /** The files of the first attempt, which heals start from. */
  firstCommit: z.string().optional(),
  /** Heals that failed and are in the files no more. */
  earlierHeals: z.array(z.custom<ShownAttempt>((value) => value !== undefined)).optional(),
  /** What people said at each revision, and how many heals were made before the last one. */
  revision: z.strictObject({ said: z.array(z.string()), healsBefore: z.number() }).optional(),
});
export type ErrandContext = z.infer<typeof ErrandContext>;

export const errandContextOf = ({ context }: Pick<ActivityContext, 'context'>): ErrandContext =>
  context as unknown as ErrandContext;

export const errandPatchOf = (patch: Partial<ErrandContext>): JsonObject => patch as JsonObject;
