import { z } from 'zod';
import { name } from './registry.js';
import { text } from './text.js';

export const CapabilitySource = z.enum(['built-in', 'repository', 'user', 'plugin']);
export type CapabilitySource = z.infer<typeof CapabilitySource>;

export const Diagnostic = name(
  'Diagnostic',
  z.strictObject({
    level: z.enum(['warning', 'skipped']).describe('skipped: the file offers nothing'),
    path: z.string(),
    message: z.string(),
  }),
);
export type Diagnostic = z.infer<typeof Diagnostic>;

export const Capability = name(
  'Capability',
  z.strictObject({
    kind: z.enum(['agent', 'skill', 'plugin']),
    name: z.string(),
    description: z.string(),
    source: CapabilitySource,
    path: z.string(),
    hash: z.string().describe('SHA-256 of the file'),
    plugin: z.string().nullable().describe('The plugin that brings it'),
    category: z.string().nullable(),
    tier: z.enum(['small', 'medium', 'large']).nullable(),
    tools: z.array(z.string()).nullable().describe('Null: as many as its place allows'),
    isCritical: z.boolean(),
  }),
);
export type Capability = z.infer<typeof Capability>;

export const Capabilities = name(
  'Capabilities',
  z.strictObject({
    repo: z.string(),
    agents: z.array(Capability),
    skills: z.array(Capability),
    plugins: z.array(Capability),
    diagnostics: z.array(Diagnostic),
  }),
);
export type Capabilities = z.infer<typeof Capabilities>;

export const CapabilityQuery = z.strictObject({
  repo: text(1, 4_096).describe('Absolute path of a git repository below QRALPH_REPO_ROOTS'),
});
export type CapabilityQuery = z.infer<typeof CapabilityQuery>;
