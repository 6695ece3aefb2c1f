import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';
import { isoTime, usd } from './text.js';

const TokenClasses = name(
  'TokenClasses',
  z.strictObject({
    input: z.int().describe('Neither read from nor written to a cache'),
    output: z.int(),
    cacheRead: z.int(),
    cacheWrite: z.int(),
    reasoning: z.int().describe('A part of output'),
  }),
);

export const ModelCall = name(
  'ModelCall',
  z.strictObject({
    id: z.uuid(),
    projectId: z.uuid(),
    state: z.string(),
    agent: z.string(),
    purpose: z.string(),
    prompt: z
      .string()
      .nullable()
      .describe('The version of the prompt it was made with, such as `review@1`; null: the task named none'),
    attempt: z.int(),
    tier: z.string().nullable(),
    provider: z.string(),
    model: z.string(),
    answeredBy: z.string().nullable().describe('The model as the provider named it'),
    status: z.enum(['open', 'done', 'failed', 'cut', 'lost']).describe('lost: nobody knows how it ended'),
    simulated: z.boolean().describe('No model answered: a playbook did'),
    tokens: TokenClasses.nullable(),
    reservedUsd: usd.describe('The most it could cost, set aside before it was sent'),
    costUsd: usd.nullable().describe('Null: unknown'),
    countedUsd: usd.nullable().describe('What it took from the cap; null while it is under way'),
    estimateErrorUsd: usd.nullable().describe('What it took beyond its reservation'),
    priceVersion: z.string().nullable().describe('Null: nobody knew the price, and the worst case was counted'),
    durationMs: z.int().nullable(),
    traceId: z.string().nullable(),
    errorCode: z.string().nullable(),
    at: isoTime,
  }),
);
export type ModelCall = z.infer<typeof ModelCall>;

const sums = {
  calls: z.int(),
  unknownCalls: z.int().describe('Calls whose cost nobody knows'),
  simulatedCalls: z.int(),
  tokens: TokenClasses,
  costUsd: usd
    .nullable()
    .describe('The sum of the costs that are known: with unknownCalls, it was more. Null: none is known'),
  countedUsd: usd.describe('What they took from their caps; those under way with their reservations'),
};

export const CostSums = name('CostSums', z.strictObject(sums));
export type CostSums = z.infer<typeof CostSums>;

export const CostGroup = name('CostGroup', z.strictObject({ key: z.string(), ...sums }));
export type CostGroup = z.infer<typeof CostGroup>;

export const ProjectCosts = name(
  'ProjectCosts',
  z.strictObject({
    projectId: z.uuid(),
    total: CostSums,
    byAgent: z.array(CostGroup),
    byModel: z.array(CostGroup),
    byState: z.array(CostGroup),
    ...listOf(ModelCall).shape,
  }),
  'The calls of a project and of its children, newest first; the sums are over all of them, not over the page',
);
export type ProjectCosts = z.infer<typeof ProjectCosts>;

export const CostGroupList = name('CostGroupList', listOf(CostGroup));

export const GroupBy = z.enum(['project', 'agent', 'model', 'state', 'day']);
export type GroupBy = z.infer<typeof GroupBy>;

export const CostQuery = z.strictObject({
  ...pageQuery,
  groupBy: GroupBy.default('project').describe('`project` is the one that no other started; `day` is in UTC'),
});
export type CostQuery = z.infer<typeof CostQuery>;
