import type { EffectRun } from '#engine';
import type { Redactor } from '#kernel';
import type { AgentTask } from '../agent.port.js';
import type { Notes } from '../notes/notes.port.js';
import { notesAfter, type ToldNotes } from '../notes/told-notes.js';

/**
 * What people say to the agent of a run. What was said before it began is in its prompt; what is said while it lasts is
 * put into its calls, of which it knows nothing itself.
 */
export class RunNotes {
  private readonly reachedIds = new Set<string>();
  /** The newest of what was said while it lasted: it has all that came before. */
  private since: ToldNotes | null = null;

  private constructor(
    private readonly notes: Notes,
    private readonly redactor: Redactor,
    private readonly task: AgentTask,
    private readonly run: EffectRun,
    private readonly before: ToldNotes | null,
  ) {}

  static async of(notes: Notes, redactor: Redactor, task: AgentTask, run: EffectRun): Promise<RunNotes> {
    const before = await notesAfter(notes, redactor, { ...whose(task, run), seen: 0 });
    return new RunNotes(notes, redactor, task, run, before);
  }

  /** The task with what was said before. */
  get noted(): AgentTask {
    const { task, before } = this;
    return before ? { ...task, prompt: `${task.prompt}\n\n${before.text}` } : task;
  }

  /** What calls that begin now are told on top: notes, and a warning of the service. */
  async now(warning: string | null = null): Promise<ToldNotes | null> {
    const seen = this.before?.upTo ?? 0;
    const given = await notesAfter(this.notes, this.redactor, { ...whose(this.task, this.run), seen });
    this.since = warning === null ? given : withWarning(given ?? { upTo: seen, told: [], text: '' }, warning);
    return this.since;
  }

  /** A call was answered that was told these, and the prompt. */
  reached(carried: ToldNotes | null): void {
    const { role, purpose } = this.task;
    for (const { note, number } of [...(this.before?.told ?? []), ...(carried?.told ?? [])]) {
      if (this.reachedIds.has(note)) continue;
      this.reachedIds.add(note);
      this.run.tell('note.delivered', { note, number, role, purpose, call: this.run.key }, true);
      this.notes.reached?.();
    }
  }

  /** Words that are not the agent's own where it says them, beside those of its prompt. */
  get heard(): readonly string[] {
    return this.since ? [this.since.text] : [];
  }
}

/** The CLI does not keep what its calls are told on top, so each call is told the warning again. */
const withWarning = (given: ToldNotes, warning: string): ToldNotes => ({
  ...given,
  text: [given.text, warning].filter((text) => text !== '').join('\n\n'),
});

const whose = ({ role }: AgentTask, { lease }: EffectRun) => ({ projectId: lease.projectId, role });
