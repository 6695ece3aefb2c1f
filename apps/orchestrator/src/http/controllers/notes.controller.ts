import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type GiveNote, type Note, type NoteAccepted, type Page, type PageQuery, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { NOTE_DESK } from '../http-deps.js';
import type { NoteDesk, Operation } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class NotesController {
  constructor(@Inject(NOTE_DESK) private readonly notes: NoteDesk) {}

  @Endpoint(routes.giveNote)
  give(
    @Param({ schema: routes.giveNote.params }) { id }: { id: string },
    @Body({ schema: routes.giveNote.body }) note: GiveNote,
    @AsOperation() operation: Operation,
  ): Promise<NoteAccepted> {
    return this.notes.give(id, note, operation);
  }

  @Endpoint(routes.projectNotes)
  list(
    @Param({ schema: routes.projectNotes.params }) { id }: { id: string },
    @Query({ schema: routes.projectNotes.query }) query: PageQuery,
  ): Promise<Page<Note>> {
    return this.notes.list(id, query);
  }
}
