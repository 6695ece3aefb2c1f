import type { Clock } from '#kernel';
import { hasEnded, isRunnable, type Snapshot, statusOf } from '../machine/snapshot.js';
import type { MachineRegistry, RunnableMachine } from '../ports/machine-registry.js';
import type { ClaimedProject, JournalEntry, ProjectStore, Write } from '../ports/project-store.js';
import type { Moment, Place, Probe } from '../ports/worker-ports.js';
import { announcedEvents } from './announcements.js';
import { LeaseWriter } from './lease-writer.js';
import { nextWrite } from './next-write.js';

/** The event that tells of an activity's report. */
export const REPORTED = 'activity.reported';

export interface RunnerPolicy {
  /** How long an aborted activity may take to end before it is left behind. */
  readonly abortDeadlineMs: number;
  /** How often a step that failed is tried again before a person is asked. */
  readonly stepRetries: number;
  readonly stepBackoffMs: number;
  /** A step that runs this long is checkpointed on the way. */
  readonly checkpointEveryMs: number;
}

export interface RunnerParts {
  readonly store: ProjectStore;
  readonly machines: MachineRegistry;
  readonly clock: Clock;
  readonly probe: Probe;
  readonly policy: RunnerPolicy;
  /** Called after a write that left wake-ups in the outbox. */
  readonly nudgeRelay: () => void;
}

export type Change = Omit<Write, 'number'>;

/**
 * One project as its lease holder knows it: what the store holds, no less and no more. It changes only through
 * `commit` and `write`, and only once the store has answered.
 */
export class ProjectRecord {
  private present: Snapshot;
  private version: number;
  private entries: Map<string, JournalEntry>;
  /** The state whose change is committed and not yet acted upon. */
  private left: string | null = null;
  private newest: number;
  private readonly writer: LeaseWriter;

  constructor(
    readonly parts: RunnerParts,
    readonly claimed: ClaimedProject,
    readonly runnable: RunnableMachine,
    givesUp: () => boolean,
  ) {
    this.present = claimed.snapshot;
    this.version = claimed.version;
    this.entries = new Map(claimed.journal.map((entry) => [entry.key, entry]));
    this.newest = claimed.seenSignal;
    this.writer = new LeaseWriter(parts.store, parts.clock, claimed.lease, claimed.writes, givesUp);
  }

  get snapshot(): Snapshot {
    return this.present;
  }

  get isRunnable(): boolean {
    return isRunnable(this.runnable.machine, this.present);
  }

  get hasLostLease(): boolean {
    return this.writer.hasLostLease;
  }

  /** The newest signal that any answer of the store has told of. */
  get newestSignal(): number {
    return this.newest;
  }

  get checkpoint(): { readonly seq: number; readonly checksum: string } {
    return { seq: this.version, checksum: this.parts.store.headChecksum(this.claimed.lease) };
  }

  get journal(): ReadonlyMap<string, JournalEntry> {
    return this.entries;
  }

  /** One change of the project: checkpoint, events, journal, timers and wake-ups, all or nothing. */
  async commit(after: Snapshot, cause: string, extra: Change = {}): Promise<void> {
    const { machine } = this.runnable;
    const { facts } = this.claimed;
    const before = this.present;
    const write = nextWrite({ machine, facts, before, after, version: this.version + 1, cause });
    const timer = write.timer ?? extra.timer;
    const events = [...(extra.events ?? []), ...(write.events ?? [])];
    const announcements = [...(write.announcements ?? []), ...announcedEvents(extra.events ?? [])];
    const change = { ...extra, ...write, events, announcements, ...(timer && { timer }) };
    const attributes = { from: before.state, to: after.state, cause };
    this.reached('before-commit');
    await this.parts.probe.within('transition', { attributes }, () => this.send(change));
    this.present = after;
    this.version += 1;
    if (after.visit !== before.visit) this.entries = new Map();
    this.left = before.state;
    const report = extra.events?.find(({ type }) => type === REPORTED)?.data;
    this.reached('committed', before.state, { to: after.state, ...(report && { report }) });
    const leftWakeUps = change.children ?? (hasEnded(statusOf(machine, after)) || change.signals?.length);
    if (leftWakeUps) this.parts.nudgeRelay();
  }

  /** A change that leaves the project where it stands: journal, events, consumed signals. */
  write(change: Change): Promise<void> {
    const announcements = announcedEvents(change.events ?? []);
    return this.send(announcements.length > 0 ? { ...change, announcements } : change);
  }

  private async send(change: Change): Promise<void> {
    const signal = await this.writer.write(change);
    for (const entry of change.journal ?? []) this.entries.set(entry.key, entry);
    this.newest = Math.max(this.newest, signal);
  }

  /** The engine itself cannot go on with this project. */
  fail(code: string, message: string): Promise<void> {
    return this.commit({ ...this.present, failure: { code, message } }, 'engine:failed');
  }

  /** Reads from the store, however often it takes to get an answer. */
  ask<T>(question: (store: ProjectStore) => Promise<T>): Promise<T> {
    return this.writer.untilAnswered(() => question(this.parts.store));
  }

  /** Tells that signals up to this one exist. */
  noteSignal(signal: number): void {
    this.newest = Math.max(this.newest, signal);
  }

  /** Everything up to this signal has been looked at. */
  caughtUp(signal: number): void {
    this.newest = signal;
  }

  /** Gives the project back; false when a signal that was not seen yet keeps it here. */
  async release(seenSignal: number | null): Promise<boolean> {
    const runnable = seenSignal === null || this.isRunnable;
    const isReleased = (await this.writer.release({ runnable, seenSignal })) === 'released';
    if (isReleased) this.handedOver();
    return isReleased;
  }

  /** What follows from the last commit has begun: the next activity runs, or the project was given back. */
  handedOver(): void {
    if (this.left !== null) this.reached('handed-over', this.left);
    this.left = null;
  }

  reached(moment: Moment, state = this.present.state, more: Pick<Place, 'to' | 'report'> = {}): void {
    const { id, machine } = this.claimed.facts;
    this.parts.probe.reached(moment, { projectId: id, machine, state, ...more });
  }
}
