import { openGate } from '../machine/signals.js';
import { type Snapshot, statusOf } from '../machine/snapshot.js';
import { LeaseLost } from './interruption.js';
import type { ProjectRecord } from './project-record.js';

/**
 * Shows a project to people when it comes to rest, before it is given back: whoever dies in between leaves it to the
 * next holder, who shows it again. What cannot be shown is no reason not to rest.
 */
export class RestingPlace {
  /** As people know it; null where a holder died who may have shown it or not. */
  private shown: Snapshot | null;
  private hasLooked = false;

  constructor(private readonly record: ProjectRecord) {
    const { takenFrom, snapshot } = record.claimed;
    this.shown = takenFrom === null ? snapshot : null;
  }

  async show(): Promise<void> {
    const { record } = this;
    const { snapshot, checkpoint, runnable, claimed, parts } = record;
    const { machine, show } = runnable;
    const status = statusOf(machine, snapshot);
    const isNew = isNews(this.shown, snapshot);
    if (!show || (this.hasLooked && !isNew)) return;
    this.hasLooked = true;
    this.shown = snapshot;
    const { state, context, visit, wait } = snapshot;
    try {
      await show({ project: claimed.facts, state, visit, context, checkpoint, status, gate: openGate(machine, snapshot), wait, isNews: isNew }); // prettier-ignore
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      parts.probe.warn('a project at rest could not be shown', { projectId: claimed.facts.id, state, error });
    }
  }
}

/** Children that end one by one are no news: what they did is known when all have. */
const isNews = (before: Snapshot | null, now: Snapshot): boolean =>
  before === null ||
  before.visit !== now.visit ||
  before.incarnation !== now.incarnation ||
  before.context !== now.context ||
  before.paused !== now.paused ||
  before.failure !== now.failure ||
  before.wait?.kind !== now.wait?.kind;
