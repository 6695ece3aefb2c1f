import { assertNever } from '#kernel';
import { foresight } from '../machine/foreseen.js';
import {
  applySignal,
  type EffectVerdict,
  type Signal,
  type SignalBody,
  type SignalResult,
  STANDS_STILL,
} from '../machine/signals.js';
import type { JournalEntry, NewEvent } from '../ports/project-store.js';
import type { Change, ProjectRecord } from './project-record.js';

/** The signals of one project, applied in their order at safe points. */
export class SignalInbox {
  private seenSignal: number;
  private fetched: readonly Signal[] | null;
  /** Consumed along with another one. */
  private readonly dropped = new Set<number>();

  constructor(private readonly record: ProjectRecord) {
    this.seenSignal = record.claimed.seenSignal;
    this.fetched = record.claimed.signals;
  }

  get seen(): number {
    return this.seenSignal;
  }

  /** What the signals that wait will do, one after the other, without doing it. */
  async foresee(): Promise<readonly SignalResult[]> {
    const { machine, guards } = this.record.runnable;
    const signals = await this.record.parts.store.pendingSignals(this.record.claimed.facts.id);
    return foresight(machine, this.record.snapshot, signals, guards).results;
  }

  async applyAll(): Promise<void> {
    for (;;) {
      const signals = await this.next();
      if (!signals) return;
      for (const signal of signals) if (!this.dropped.has(signal.seq)) await this.apply(signal);
    }
  }

  private async next(): Promise<readonly Signal[] | null> {
    const { record } = this;
    if (this.fetched === null && record.newestSignal <= this.seenSignal) return null;
    const signals = this.fetched ?? (await record.ask((store) => store.pendingSignals(record.claimed.facts.id)));
    this.fetched = null;
    this.seenSignal = Math.max(this.seenSignal, ...signals.map((signal) => signal.seq));
    record.caughtUp(this.seenSignal);
    return signals;
  }

  private async apply(signal: Signal): Promise<void> {
    const { record } = this;
    const { machine, guards } = record.runnable;
    const result = applySignal(machine, record.snapshot, signal, guards);
    switch (result.kind) {
      case 'later':
        return;
      case 'noted':
        return record.write({ consumed: [signal.seq], events: [told('signal.noted', signal, result.note)] });
      case 'changed':
      case 'moved': {
        const resumes = record.snapshot.paused && !result.next.paused;
        const stale = resumes ? await this.staleTimers() : [];
        const verdict = result.kind === 'changed' ? result.verdict : undefined;
        const extra: Change = {
          consumed: [signal.seq, ...stale.map(({ seq }) => seq)],
          events: [told('signal.applied', signal), ...stale.map((one) => told('signal.noted', one, STANDS_STILL))],
          ...(verdict && { journal: [this.settled(verdict)] }),
        };
        await record.commit(result.next, causeOf(signal.body), extra);
        // What had to wait for the resume is to be looked at again.
        if (resumes) record.noteSignal(this.seenSignal + 1);
        return;
      }
      default:
        assertNever(result);
    }
  }

  /**
   * Timers that fired before the pause took effect, and were not looked at since: the time begins anew. None fires while
   * the store has the project as paused, so these are all.
   */
  private async staleTimers(): Promise<readonly Signal[]> {
    const pending = await this.record.ask((store) => store.pendingSignals(this.record.claimed.facts.id));
    const stale = pending.filter(({ body }) => body.kind === 'timer');
    for (const { seq } of stale) this.dropped.add(seq);
    return stale;
  }

  private settled({ key, verdict, outcome }: EffectVerdict): JournalEntry {
    const attempt = this.record.journal.get(key)?.attempt ?? 1;
    return verdict === 'done'
      ? { key, status: 'done', attempt, outcome }
      : { key, status: 'cleared', attempt, outcome: null };
  }
}

function causeOf(body: SignalBody): string {
  switch (body.kind) {
    case 'command':
      return body.command;
    case 'decision':
      return `${body.gate}:${body.decision}`;
    case 'notice':
    case 'timer':
      return body.event;
    case 'child':
      return `child:${body.key}`;
    case 'wake':
      return 'wake';
    default:
      return assertNever(body);
  }
}

function told(type: string, { seq, by, body }: Signal, note?: string): NewEvent {
  const named = 'id' in body && body.id !== undefined ? { id: body.id } : {};
  return {
    type,
    data: { signal: seq, kind: body.kind, cause: causeOf(body), by, ...named, ...(note !== undefined && { note }) },
  };
}
