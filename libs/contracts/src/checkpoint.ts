import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { anyJson, isoTime } from './text.js';

const link = {
  seq: z.int(),
  checksum: z.string(),
  prev: z.string().describe('Checksum of the link before'),
  sealed: z.boolean().describe('Carries an HMAC whose key is not in the database'),
  state: z.string().nullable(),
  cause: z.string().nullable().describe('What led here'),
  commit: z.string().nullable().describe('Commit of the workspace'),
  createdAt: isoTime,
  quarantine: z.strictObject({ at: isoTime, reason: z.string() }).nullable(),
};

export const Checkpoint = name('Checkpoint', z.strictObject(link));
export type Checkpoint = z.infer<typeof Checkpoint>;

export const CheckpointList = name('CheckpointList', listOf(Checkpoint));

export const CheckpointDetail = name(
  'CheckpointDetail',
  z.strictObject({
    ...link,
    manifest: z
      .record(z.string(), z.string())
      .describe('Top-level key of the context → hash of its content, or a short value itself behind `=`'),
    snapshot: anyJson.describe('Where the project stood, whole; null where it cannot be read'),
  }),
);
export type CheckpointDetail = z.infer<typeof CheckpointDetail>;

export const VerifyResult = name(
  'VerifyResult',
  z.union([
    z.strictObject({ valid: z.literal(true), checked: z.int() }),
    z.strictObject({
      valid: z.literal(false),
      checked: z.int(),
      firstBad: z.strictObject({ seq: z.int(), reason: z.string() }),
    }),
  ]),
);
export type VerifyResult = z.infer<typeof VerifyResult>;

export const CheckpointParams = z.strictObject({
  id: z.string().min(1).max(200),
  seq: z.coerce.number().int().min(1).max(2_147_483_647),
});
