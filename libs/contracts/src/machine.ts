import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { anyJson } from './text.js';

export const MachineView = name(
  'Machine',
  z.strictObject({
    name: z.string(),
    version: z.int(),
    mode: z.string().describe('What to write in `mode` when starting a project'),
    available: z.boolean().describe('False until every activity of the machine exists'),
    needsRepo: z.boolean(),
    initial: z.string(),
    abortTo: z.string(),
    states: z.record(z.string(), anyJson),
    mermaid: z.string(),
  }),
);
export type MachineView = z.infer<typeof MachineView>;

export const MachineList = name('MachineList', listOf(MachineView));
export const MachineParams = z.strictObject({ name: z.string().min(1).max(100) });
