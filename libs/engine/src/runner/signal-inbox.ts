import { assertNever } from '#kernel';
import {
  applySignal,
  type EffectVerdict,
  type Signal,
  type SignalBody,
  type SignalResult,
} from '../machine/signals.js';
import type { JournalEntry, NewEvent } from '../ports/project-store.js';
import type { Change, ProjectRecord } from './project-record.js';

/** The signals of one project, applied in their order at safe points. */
export class SignalInbox {
  private seenSignal: number;
  private fetched: readonly Signal[] | null;

  constructor(private readonly record: ProjectRecord) {
    this.seenSignal = record.claimed.seenSignal;
    this.fetched = record.claimed.signals;
  }

  get seen(): number {
    return this.seenSignal;
  }

  /** What the signals that wait would do now, without doing it. */
  async foresee(): Promise<readonly SignalResult[]> {
    const signals = await this.record.parts.store.pendingSignals(this.record.claimed.facts.id);
    return signals.map((signal) => this.resultOf(signal));
  }

  async applyAll(): Promise<void> {
    for (;;) {
      const signals = await this.next();
      if (!signals) return;
      for (const signal of signals) await this.apply(signal);
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

  private resultOf(signal: Signal): SignalResult {
    const { machine, guards } = this.record.runnable;
    return applySignal(machine, this.record.snapshot, signal, guards);
  }

  private async apply(signal: Signal): Promise<void> {
    const { record } = this;
    const result = this.resultOf(signal);
    switch (result.kind) {
      case 'later':
        return;
      case 'noted':
        return record.write({ consumed: [signal.seq], events: [told('signal.noted', signal, result.note)] });
      case 'changed':
      case 'moved': {
        const wasPaused = record.snapshot.paused;
        const verdict = result.kind === 'changed' ? result.verdict : undefined;
        const extra: Change = {
          consumed: [signal.seq],
          events: [told('signal.applied', signal)],
          ...(verdict && { journal: [this.settled(verdict)] }),
        };
        await record.commit(result.next, causeOf(signal.body), extra);
        // What had to wait for the resume is to be looked at again.
        if (wasPaused && !result.next.paused) record.noteSignal(this.seenSignal + 1);
        return;
      }
      default:
        assertNever(result);
    }
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
