/** What somebody says to agents while they work. */
export interface Note {
  readonly id: string;
  /** Its place among the notes of the project, from 1. */
  readonly number: number;
  /** Null: for all agents. */
  readonly agent: string | null;
  readonly text: string;
  readonly by: 'human' | 'service';
  readonly at: Date;
}

/** Where notes are kept. Each call of a model asks it first. */
export interface Notes {
  /**
   * The newest `most` notes for an agent of a project, or of the one that started it, that came after number `seen`;
   * oldest first.
   */
  after(projectId: string, agent: string, seen: number, most: number): Promise<readonly Note[]>;
  /** Hears of each note that reached an agent. */
  reached?(): void;
}

export const noNotes: Notes = { after: () => Promise.resolve([]) };
