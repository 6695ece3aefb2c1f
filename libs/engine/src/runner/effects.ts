import { EngineBug, errorCode, errorMessage, type Json, type JsonObject, OUTCOME_UNKNOWN } from '#kernel';
import type { Effect, EffectRun } from '../ports/activity.js';
import type { Lease } from '../ports/lease.js';
import type { JournalEntry, NewEvent } from '../ports/project-store.js';
import type { Probe } from '../ports/worker-ports.js';
import { AsksPerson, type Interruption, LeaseLost } from './interruption.js';

/** An effect that tells more than this between two writes is cut short, and the history says so. */
const MOST_TOLD = 200;

export interface EffectScene {
  readonly lease: Lease;
  readonly machine: string;
  readonly state: string;
  readonly keyPrefix: string;
}

/**
 * The effects of one visit of a state. A finished one is read back; one that began and whose end nobody knows is
 * settled by its own rule, never blindly repeated. Every start is in the journal before the effect runs.
 */
export class EffectJournal {
  private readonly underWay = new Set<string>();
  /** What running effects have told since the last write. */
  private told: NewEvent[] = [];
  private untold = 0;

  constructor(
    private readonly scene: EffectScene,
    private readonly entries: ReadonlyMap<string, JournalEntry>,
    private readonly interruption: Interruption,
    private readonly probe: Probe,
    private readonly write: (journal: readonly JournalEntry[], events: readonly NewEvent[]) => Promise<void>,
  ) {}
  /** Writes what running effects have told so far, so that people see it while the effect still runs. */
  async flush(): Promise<void> {
    const events = this.takeTold();
    if (events.length > 0) await this.write([], events);
  }

  async perform<T extends Json>(effect: Effect<T>): Promise<T> {
    const key = `${this.scene.keyPrefix}/${effect.step}`;
    const entry = this.entries.get(key);
    if (entry?.status === 'done') return entry.outcome as T;
    if (this.underWay.has(key)) throw new EngineBug('STEP_REUSED', `two effects of one visit are both named ${key}`);
    this.underWay.add(key);
    try {
      return await this.probe.within('effect', { attributes: { key } }, () => this.settleOrRun(key, entry, effect));
    } finally {
      this.underWay.delete(key);
    }
  }

  private async settleOrRun<T extends Json>(
    key: string,
    entry: JournalEntry | undefined,
    effect: Effect<T>,
  ): Promise<T> {
    this.interruption.safePoint();
    const hasUnknownEnd = entry?.status === 'started';
    if (hasUnknownEnd && effect.settle.kind === 'ask') throw new AsksPerson(key, effect.settle);
    if (hasUnknownEnd && effect.settle.kind === 'query') {
      const found = await effect.settle.find(this.runOf(key, entry.attempt));
      if (found !== null) return this.finish(key, entry.attempt, found, 'effect.found');
    }
    const attempt = (entry?.attempt ?? 0) + 1;
    await this.record(
      { key, status: 'started', attempt, outcome: null },
      hasUnknownEnd ? 'effect.repeated' : 'effect.started',
    );
    this.reached('effect-started', effect.step);
    const outcome = await this.run(key, attempt, effect);
    this.reached('effect-ran', effect.step);
    return this.finish(key, attempt, outcome, 'effect.finished');
  }

  private runOf(key: string, attempt: number): EffectRun {
    const { signal, pausing } = this.interruption;
    return { key, attempt, signal, pausing, lease: this.scene.lease, tell: (type, data, isRecord = false) => this.tell({ type, data }, isRecord) }; // prettier-ignore
  }

  private tell(event: NewEvent, isRecord: boolean): void {
    if (isRecord || this.told.length < MOST_TOLD) this.told.push(event);
    else this.untold += 1;
  }

  private takeTold(): readonly NewEvent[] {
    const { told, untold } = this;
    this.told = [];
    this.untold = 0;
    return untold === 0 ? told : [...told, { type: 'events.dropped', data: { count: untold } }];
  }

  private async run<T extends Json>(key: string, attempt: number, effect: Effect<T>): Promise<T> {
    try {
      return await effect.run(this.runOf(key, attempt));
    } catch (error) {
      // Failed by itself, it is known to be undone and may simply be tried anew; else its own rule must settle it.
      if (!this.isEndUnknown(error)) {
        const failure = { code: errorCode(error), message: errorMessage(error).slice(0, 2_000) };
        await this.record({ key, status: 'cleared', attempt, outcome: null }, 'effect.failed', failure);
      } else if (!(error instanceof LeaseLost)) await this.flush();
      throw error;
    }
  }

  private isEndUnknown(error: unknown): boolean {
    return this.interruption.signal.aborted || error instanceof LeaseLost || errorCode(error) === OUTCOME_UNKNOWN;
  }

  private async finish<T extends Json>(key: string, attempt: number, outcome: T, type: string): Promise<T> {
    await this.record({ key, status: 'done', attempt, outcome }, type);
    return outcome;
  }

  private async record(entry: JournalEntry, type: string, details: JsonObject = {}): Promise<void> {
    const event = { type, data: { key: entry.key, attempt: entry.attempt, ...details } };
    await this.write([entry], [...this.takeTold(), event]);
  }

  private reached(moment: 'effect-started' | 'effect-ran', step: string): void {
    const { lease, machine, state } = this.scene;
    this.probe.reached(moment, { projectId: lease.projectId, machine, state, step });
  }
}
