import type { Json, JsonObject } from '#kernel';
import type { Signal, SignalBody } from '../machine/signals.js';
import type { Snapshot, Status } from '../machine/snapshot.js';
import type { PrincipalKind } from '../machine/transition.js';
import type { ChildResult, ProjectFacts } from './activity.js';
import type { Lease } from './lease.js';

/**
 * The store of projects as the engine needs it. Glossary:
 * - lease: the right of one worker to write to one project. It is named by its epoch, which only rises; a write that
 *   carries an older epoch changes nothing, is recorded, and is told `stale`.
 * - write: one atomic change of a project (snapshot, checkpoint, events, journal, timers, children, wake-ups).
 *   Writes of one lease are numbered, so that a write whose answer was lost can be looked up.
 * - version: the number of the newest checkpoint; rises by one with each write that carries a snapshot.
 *
 * Losing a race is a return value. A WorldError with code ANSWER_LOST means: it may have happened, ask `fateOf`.
 * Any other WorldError means: it did not happen, try again.
 */
export interface ProjectStore {
  claim(projectId: string, workerId: string): Promise<Claim>;
  write(lease: Lease, write: Write): Promise<WriteResult>;
  /** Whether the numbered write of this lease is in the store. */
  fateOf(lease: Lease, writeNumber: number): Promise<'applied' | 'not-applied' | 'stale'>;
  /** Checksum of the newest checkpoint that this lease found or wrote. */
  headChecksum(lease: Lease): string;
  release(lease: Lease, terms: ReleaseTerms): Promise<'released' | 'signalled' | 'stale'>;
  pendingSignals(projectId: string): Promise<readonly Signal[]>;
  children(projectId: string, incarnation: number, visit: number): Promise<readonly ChildResult[]>;
}

export interface ReleaseTerms {
  /** Whether some worker still has something to do. */
  readonly runnable: boolean;
  /** The lease is kept when a newer signal has arrived; null gives it back in any case. */
  readonly seenSignal: number | null;
}

export interface ClaimedProject {
  readonly lease: Lease;
  readonly facts: ProjectFacts;
  readonly snapshot: Snapshot;
  readonly version: number;
  /** The last write number of the previous holder: this lease goes on from there. */
  readonly writes: number;
  readonly signals: readonly Signal[];
  /** The number of the newest signal that `signals` could contain. */
  readonly seenSignal: number;
  /** Effects of the current visit. */
  readonly journal: readonly JournalEntry[];
  /** The worker that held the project before and did not give it back, if any. */
  readonly takenFrom: string | null;
}

export type Claim =
  | { readonly kind: 'claimed'; readonly project: ClaimedProject }
  | { readonly kind: 'held' }
  | { readonly kind: 'corrupt'; readonly seq: number; readonly reason: string };

export interface JournalEntry {
  readonly key: string;
  readonly status: 'started' | 'done' | 'cleared';
  readonly attempt: number;
  readonly outcome: Json;
}

export interface Write {
  readonly number: number;
  /** Present when the snapshot changes: then a checkpoint is written. */
  readonly next?: {
    readonly snapshot: Snapshot;
    readonly version: number;
    readonly status: Status;
    readonly cause: string;
    /** Keys of the context that differ from the previous snapshot; null for removed ones. */
    readonly changed: Readonly<Record<string, Json>>;
  };
  readonly events?: readonly NewEvent[];
  /** What the world outside is told of it, if anybody there wants to know. */
  readonly announcements?: readonly Announcement[];
  readonly journal?: readonly JournalEntry[];
  readonly consumed?: readonly number[];
  readonly timer?: StateTimer;
  readonly children?: readonly NewChild[];
  /** Signals to other projects: to the parent when a child ends, to the children when the parent is paused or aborted. */
  readonly signals?: readonly { readonly to: string; readonly by: PrincipalKind; readonly body: SignalBody }[];
}

/**
 * Fires once. Without an event it wakes the activity that waits; with one it does not fire while the project is paused.
 * One of the same visit and event takes the place of the one before.
 */
export interface StateTimer {
  readonly visit: number;
  readonly event: string | null;
  readonly ms: number;
}

export interface NewEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** The store adds where the project stands then. */
export interface Announcement {
  readonly type: string;
  readonly data: JsonObject;
  /** About the project that no other started, and told once for the same data. */
  readonly isOnce?: boolean;
}

export interface NewChild {
  readonly facts: ProjectFacts;
  /** The parent's incarnation that wants it. */
  readonly incarnation: number;
  readonly snapshot: Snapshot;
  readonly status: Status;
  readonly runnable: boolean;
  readonly timer?: StateTimer | undefined;
}

export type WriteResult =
  /** `signal` is the number of the newest signal of the project: the holder sees at once that something arrived. */
  { readonly kind: 'written'; readonly signal: number } | { readonly kind: 'stale' };
