import { PageQuery } from '../list.js';
import { GiveNote, NoteAccepted, NoteList } from '../note.js';
import { ProjectParams } from '../project.js';
import type { Route } from '../route.js';

export const noteRoutes = {
  giveNote: {
    method: 'post',
    path: '/v1/projects/{id}/notes',
    summary: 'Gives a note, which reaches the next call of a model by the agent that it names, or by all',
    tag: 'projects',
    access: { scope: 'projects:write' },
    params: ProjectParams,
    body: GiveNote,
    isIdempotent: true,
    success: { status: 202, description: 'The note is stored', schema: NoteAccepted },
    failures: [404, 409, 429],
  },
  projectNotes: {
    method: 'get',
    path: '/v1/projects/{id}/notes',
    summary: 'The notes of a project, oldest first, and whom each has reached; a child has those of its parent',
    tag: 'projects',
    access: { scope: 'projects:read' },
    params: ProjectParams,
    query: PageQuery,
    success: { status: 200, description: 'A page of notes', schema: NoteList },
    failures: [404],
  },
} as const satisfies Record<string, Route>;
