import { z } from 'zod';
import { Principal } from './api-key.js';
import { listOf } from './list.js';
import { name } from './registry.js';
import { isoTime, text } from './text.js';

/** Of one note: what is longer belongs into the request, or into a file. */
const LONGEST_NOTE = 8_000;

export const GiveNote = name(
  'GiveNote',
  z.strictObject({
    text: text(1, LONGEST_NOTE).refine((words) => words.trim() !== '', { error: 'must say something' }),
    agent: text(1, 128).optional().describe('Role or seat of the agent that it is for; without it, all agents'),
  }),
);
export type GiveNote = z.infer<typeof GiveNote>;

const noteFields = {
  id: z.uuid(),
  projectId: z.uuid(),
  number: z.int().describe('Its place among the notes of the project'),
  agent: z.string().nullable().describe('Null: it is for all agents'),
};

export const NoteAccepted = name(
  'NoteAccepted',
  z.strictObject(noteFields),
  'Reaches the next call of a model by whom it is for; the event `note.delivered` that carries this id says so',
);
export type NoteAccepted = z.infer<typeof NoteAccepted>;

export const NoteDelivery = name(
  'NoteDelivery',
  z.strictObject({
    projectId: z.uuid().describe('The project itself, or the child whose agent it was'),
    agent: z.string(),
    call: z.string().describe('Key of the effect that called the model'),
    at: isoTime,
  }),
);
export type NoteDelivery = z.infer<typeof NoteDelivery>;

export const Note = name(
  'Note',
  z.strictObject({
    ...noteFields,
    text: z.string(),
    by: Principal,
    key: z.string().describe('Id of the API key that it was given with'),
    at: isoTime,
    deliveries: z.array(NoteDelivery).describe('The conversations that it reached, oldest first; at most 100'),
  }),
);
export type Note = z.infer<typeof Note>;

export const NoteList = name('NoteList', listOf(Note));
