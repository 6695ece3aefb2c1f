import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';

export const Priority = z.enum(['P0', 'P1', 'P2']);
export type Priority = z.infer<typeof Priority>;

/** Strongest first: if findings merge, the first of these that one of them has is kept. */
export const RELATIONS = ['is-request', 'before', 'after', 'aside'] as const;
export const FindingRelation = z.enum(RELATIONS);
export type FindingRelation = z.infer<typeof FindingRelation>;

export const FindingOutcome = z.strictObject({
  kind: z.enum(['open', 'fixed', 'not-applicable', 'deferred']),
  commit: z.string().nullable().describe('The commit that fixed it'),
  reason: z.string().nullable().describe('Why it does not apply, or was deferred'),
});

export const Finding = name(
  'Finding',
  z.strictObject({
    id: z.string().describe('As in `F-001`'),
    priority: Priority.describe('P0: blocks; P1: to be fixed; P2: to be considered'),
    // Findings that an older release stored have no relation.
    relation: FindingRelation.default('aside').describe(
      'How it relates to the request. `is-request`: it is the request or a part of it; `before`: it must be fixed first; `after`: it can only be checked on the result; `aside`: it is about something else',
    ),
    title: z.string(),
    body: z.string(),
    file: z.string().nullable(),
    line: z.int().nullable(),
    confidence: z.number().min(0).max(1),
    agents: z.array(z.string()).describe('Who found it; several where they mean the same point'),
    outcome: FindingOutcome,
  }),
);
export type Finding = z.infer<typeof Finding>;

export const FindingList = name('FindingList', listOf(Finding));

export const FindingQuery = z.strictObject({ ...pageQuery, priority: Priority.optional() });
export type FindingQuery = z.infer<typeof FindingQuery>;
