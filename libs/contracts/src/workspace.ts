import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { isoTime } from './text.js';

export const ProjectDiff = name(
  'ProjectDiff',
  z.strictObject({
    from: z.string().describe('The commit that the branch began at'),
    to: z.string().describe('The commit of the newest checkpoint'),
    files: z.array(
      z.strictObject({
        path: z.string(),
        status: z.enum(['added', 'changed', 'deleted', 'renamed']),
        from: z.string().nullable().describe('Its former path'),
        insertions: z.int(),
        deletions: z.int(),
      }),
    ),
    patch: z.string().describe('Unified'),
    simulated: z.boolean().describe('Whether a simulated model took part'),
    cut: z.boolean().describe('Whether the patch was too long and ends early'),
  }),
);
export type ProjectDiff = z.infer<typeof ProjectDiff>;

const artifact = {
  name: z.string(),
  bytes: z.int(),
  modifiedAt: isoTime,
  deliverable: z
    .strictObject({
      path: z.string().describe('On the branch'),
      commit: z.string().describe('The commit that has it'),
      task: z.string().describe('The task that it was written for'),
    })
    .optional()
    .describe('Of a document that the project was to write; the others are its own readable files'),
};

export const Artifact = name('Artifact', z.strictObject(artifact));
export type Artifact = z.infer<typeof Artifact>;

export const ArtifactList = name('ArtifactList', listOf(Artifact));

export const ArtifactContent = name(
  'ArtifactContent',
  z.strictObject({
    ...artifact,
    encoding: z.enum(['utf8', 'base64']).describe('What `content` is: the text, or the bytes of what is no text'),
    content: z.string(),
    cut: z.boolean().describe('Whether the file is longer than what is served of it'),
  }),
);
export type ArtifactContent = z.infer<typeof ArtifactContent>;

export const ArtifactParams = z.strictObject({
  id: z.string().min(1).max(200),
  // A document's path may have 500.
  name: z.string().min(1).max(600).describe('As listed, its slashes as they are or as %2F'),
});
