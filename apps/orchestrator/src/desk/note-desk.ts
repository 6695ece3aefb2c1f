import type { GiveNote, Note, NoteAccepted, Page, PageQuery, Project } from '#contracts';
import { UserError } from '#kernel';
import type { ModeRegistry } from '#modes';
import { type Database, giveNote, inWorldlyTerms, nameOf, type PgNotes, type PgPace, rootOf } from '#persistence';
import { isLimited } from '../../../worker/src/control/command-refused.js';
import type { NoteDesk, Operation, ProjectReads } from '../http/index.js';

export interface NoteDeskParts {
  readonly pool: Database;
  readonly modes: Pick<ModeRegistry, 'mode'>;
  readonly reads: Pick<ProjectReads, 'idOf' | 'get'>;
  readonly notes: Pick<PgNotes, 'list'>;
  readonly pace?: Pick<PgPace, 'take'>;
  readonly countsNotes?: (outcome: 'accepted' | 'refused' | 'limited') => void;
}

/** Keeps what people say to agents. It wakes nobody: agents look before each call of a model. */
export class EngineNoteDesk implements NoteDesk {
  constructor(private readonly parts: NoteDeskParts) {}

  async give(idOrName: string, note: GiveNote, operation: Operation): Promise<NoteAccepted> {
    const { countsNotes } = this.parts;
    try {
      const accepted = await this.kept(idOrName, note, operation);
      countsNotes?.('accepted');
      return accepted;
    } catch (error) {
      if (error instanceof UserError) countsNotes?.(isLimited(error) ? 'limited' : 'refused');
      throw error;
    }
  }

  private async kept(idOrName: string, { text, agent: named }: GiveNote, { id, by }: Operation): Promise<NoteAccepted> {
    const { pool, reads } = this.parts;
    const agent = named ?? null;
    const project = await reads.get(idOrName);
    await this.mustBeNoChild(project);
    this.mustBeThere(project, agent);
    const { principal, keyId } = by;
    const tooFast = await this.parts.pace?.take(project.id, keyId);
    if (tooFast) throw tooFast;
    return inWorldlyTerms(() => giveNote(pool, { id, projectId: project.id, agent, text, by: principal, keyId }));
  }

  async list(idOrName: string, query: PageQuery): Promise<Page<Note>> {
    return this.parts.notes.list(await this.parts.reads.idOf(idOrName), query);
  }

  /** What is said to a project holds for its children too: said to one of them, nobody would know for how long. */
  private async mustBeNoChild({ id, name }: Project): Promise<void> {
    const { pool } = this.parts;
    const root = await inWorldlyTerms(() => rootOf(pool, id));
    if (root === null || root === id) return;
    const parent = await inWorldlyTerms(() => nameOf(pool, root));
    throw new UserError(
      'PROJECT_IS_CHILD',
      `${name} is a part of project ${parent ?? root}: give the note to that one, and name the agent`,
      { parent: { id: root, name: parent } },
    );
  }

  private mustBeThere({ mode, team, status }: Project, agent: string | null): void {
    // Whatever it names: of one that has ended that is said.
    if (['completed', 'aborted', 'failed'].includes(status)) return;
    const { roles } = this.parts.modes.mode(mode);
    if (roles.length === 0) {
      throw new UserError(
        'PROJECT_HAS_NO_AGENTS',
        `projects of mode ${mode} have no agents: nobody would read the note`,
      );
    }
    const agents = [...new Set([...roles, ...(team?.agents ?? [])])];
    if (agent === null || agents.includes(agent)) return;
    const seats = team ? '' : '; who sits in its team is not known yet';
    throw new UserError(
      'AGENT_UNKNOWN',
      `there is no agent ${agent}; there are ${agents.join(', ')}${seats}. Without a name the note is for all.`,
      { agents },
    );
  }
}
