import type { Note, Notes } from './notes.port.js';

/** Notes in memory; all of one project. */
export class NotesInMemory implements Notes {
  readonly all: Note[] = [];

  give(text: string, agent: string | null = null, by: Note['by'] = 'human'): Note {
    const number = this.all.length + 1;
    const note = { id: `note-${String(number)}`, number, agent, text, by, at: new Date(number * 1_000) };
    this.all.push(note);
    return note;
  }

  async after(_projectId: string, agent: string, seen: number, most: number): Promise<readonly Note[]> {
    return this.all.filter((note) => note.number > seen && (note.agent === null || note.agent === agent)).slice(-most);
  }
}
