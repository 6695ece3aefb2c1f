import { z } from 'zod';

/** Something that speaks against a proof, in one sentence. */
export const ProofFailing = z.strictObject({ rule: z.string(), what: z.string() });
export type ProofFailing = z.infer<typeof ProofFailing>;

/** How the whole result was judged last, and by what. */
export const ProofRecord = z.strictObject({
  commit: z.string(),
  proven: z.enum(['yes', 'no', 'simulated']),
  failings: z.array(ProofFailing),
  /** What failed before and passes now, in plain sentences. */
  evidence: z.array(z.string()),
  /** Tests that failed before the change, still fail, and are not in scope. */
  knownFailures: z.array(z.string()),
  flaky: z.array(z.string()),
  notes: z.array(z.string()),
});
export type ProofRecord = z.infer<typeof ProofRecord>;

/** What an agent that made none of the changes said about the result. */
export const Inspection = z.strictObject({
  commit: z.string(),
  parts: z.array(z.strictObject({ part: z.number(), isDone: z.boolean(), why: z.string() })),
  findings: z.array(z.strictObject({ id: z.string(), isFixed: z.boolean(), why: z.string() })),
  /** Existing tests that were removed, skipped or changed, with the words of the request that ask for it. */
  tests: z.array(z.strictObject({ test: z.string(), quote: z.string().nullable(), why: z.string() })),
  /** What the request asks for, in its own words, what no part names, and what the change does not do. */
  demands: z.array(z.strictObject({ quote: z.string(), why: z.string() })).exactOptional(),
});
export type Inspection = z.infer<typeof Inspection>;

/** What a third agent ruled about an inspection of one tree. */
export const InspectionRuling = z.strictObject({
  tree: z.string(),
  /** Numbers of parts, ids of findings and quoted demands that the inspector called not done. */
  items: z.array(z.string()),
  isInspectorWrong: z.boolean(),
  why: z.string(),
});
export type InspectionRuling = z.infer<typeof InspectionRuling>;
