import { z } from 'zod';
import { name } from './registry.js';

export const Command = z.enum(['PAUSE', 'RESUME', 'SKIP', 'ABORT', 'STATUS', 'ESCALATE', 'RETRY']);
export type Command = z.infer<typeof Command>;

export const GiveCommand = name('GiveCommand', z.strictObject({ command: Command }));
export type GiveCommand = z.infer<typeof GiveCommand>;

export const CommandAccepted = name(
  'CommandAccepted',
  z.strictObject({ id: z.uuid(), projectId: z.uuid(), command: Command }),
  'Takes effect at the next safe point; the event `signal.applied` or `signal.noted` that carries this id says what it did',
);
export type CommandAccepted = z.infer<typeof CommandAccepted>;
