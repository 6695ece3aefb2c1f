import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { isoTime } from './text.js';

const TreeProcess = z.strictObject({
  pid: z.int(),
  parent: z.int(),
  command: z.string().describe('What it was called with, secrets blotted out, cut at 500 characters'),
  rssBytes: z.int(),
});

export const LiveProcess = name(
  'Process',
  z.strictObject({
    projectId: z.uuid(),
    purpose: z.string(),
    host: z.string(),
    workerId: z.string(),
    pid: z.int(),
    group: z.int(),
    startedAt: isoTime,
    status: z
      .enum(['running', 'gone', 'elsewhere'])
      .describe('`gone`: it has ended and its record is about to be; `elsewhere`: on a host that this one cannot see'),
    tree: z.array(TreeProcess).describe('It and all that it started, wherever they went; the first is it itself'),
  }),
);
export type LiveProcess = z.infer<typeof LiveProcess>;

export const ProcessList = name('ProcessList', listOf(LiveProcess));
