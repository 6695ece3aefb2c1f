import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';
import { isoTime, text } from './text.js';

export const MemoryKind = z.enum([
  'error_pattern',
  'failed_approach',
  'successful_workaround',
  'architectural_decision',
]);
export type MemoryKind = z.infer<typeof MemoryKind>;

const repo = text(1, 4_096);

export const MemoryEntry = name(
  'MemoryEntry',
  z.strictObject({
    id: z.uuid(),
    kind: MemoryKind,
    repo: z.string().nullable().describe('Null: it holds for every repository'),
    domains: z.array(z.string()),
    title: z.string(),
    body: z.string(),
    project: z.string().nullable().describe('Name of the project that learnt it'),
    createdAt: isoTime,
    expiresAt: isoTime.nullable().describe('Failures are forgotten'),
    score: z.number().nullable().describe('How well it fits the query; null without one'),
  }),
);
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const MemoryList = name('MemoryList', listOf(MemoryEntry));

export const NewMemory = name(
  'NewMemory',
  z.strictObject({
    kind: MemoryKind,
    repo: repo.nullable().default(null),
    domains: z.array(text(1, 64)).max(16).default([]),
    title: text(3, 200),
    body: text(1, 8_000),
  }),
);
export type NewMemory = z.infer<typeof NewMemory>;

export const MemoryQuery = z.strictObject({
  ...pageQuery,
  query: text(1, 2_000).optional().describe('What it is to be about: best first; without it, newest first'),
  repo: repo.optional().describe('What holds for this repository: its own entries, and those for every one'),
  kind: MemoryKind.optional(),
  domain: text(1, 64).optional().describe('Entries of this domain count more'),
});
export type MemoryQuery = z.infer<typeof MemoryQuery>;

export const MemoryParams = z.strictObject({ id: z.uuid() });
