import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';
import { isoTime, usd } from './text.js';

const tier = z.enum(['small', 'medium', 'large']);

export const HealAttempt = name(
  'HealAttempt',
  z.strictObject({
    number: z.int().min(1),
    tier,
    model: z.string().nullable().describe('The model that answered'),
    usedPattern: z.boolean().describe('Whether it was given a fix that had worked before'),
    outcome: z.enum(['running', 'fixed', 'failed', 'skipped']),
    tried: z.string().describe('What the agent says it did'),
    why: z.string().nullable().describe('Why it does not count as a fix'),
    costUsd: usd.nullable(),
    diff: z.string().describe('What it changed; cut where it is long'),
    output: z.string().describe('The end of what the verify commands printed'),
    rolledBack: z.boolean().describe('Whether the workspace went back to its last good checkpoint after it'),
  }),
);
export type HealAttempt = z.infer<typeof HealAttempt>;

export const HealProblem = name(
  'HealProblem',
  z.strictObject({
    id: z.string().describe('As in `P-001`'),
    signature: z.string().describe('SHA-256 of the normalised error'),
    title: z.string(),
    error: z.string().describe('The normalised error; cut where it is long'),
    command: z.string().describe('The verify command that failed'),
    task: z.string().nullable().describe('The task whose change it came with'),
    status: z.enum(['open', 'fixed', 'deferred']),
    reason: z.string().nullable().describe('Why it was deferred'),
    attempts: z.array(HealAttempt),
  }),
);
export type HealProblem = z.infer<typeof HealProblem>;

export const HealProblemList = name('HealProblemList', listOf(HealProblem));

export const HealPattern = name(
  'HealPattern',
  z.strictObject({
    id: z.uuid(),
    repo: z.string().describe('Root of the repository; projects on the same one share their patterns'),
    signature: z.string(),
    error: z.string().describe('Normalised'),
    fix: z.string().describe('In words'),
    diff: z.string().describe('What was changed; cut where it is long'),
    tier,
    successes: z.int().describe('How often the fix worked'),
    failures: z.int().describe('How often the fix failed'),
    retiredAt: isoTime.nullable().describe('When it failed for the second time; a retired pattern is never used again'),
    project: z.string().describe('Name of the project that found it'),
    createdAt: isoTime,
    usedAt: isoTime,
  }),
);
export type HealPattern = z.infer<typeof HealPattern>;

export const HealPatternList = name('HealPatternList', listOf(HealPattern));

export const PatternQuery = z.strictObject({
  ...pageQuery,
  repo: z.string().min(1).max(4_096).optional().describe('Of this repository only'),
});
export type PatternQuery = z.infer<typeof PatternQuery>;
