import type { Json, JsonObject } from '#kernel';
import type { EffectVerdictName } from '../machine/snapshot.js';
import type { PrincipalKind } from '../machine/transition.js';
import type { Lease } from './lease.js';

/** What an activity may know of its project. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly machine: string;
  readonly machineVersion: number;
  readonly request: string;
  readonly parameters: JsonObject;
  readonly repo: { readonly path: string; readonly ref: string } | null;
  readonly parent: { readonly id: string; readonly key: string; readonly visit: number } | null;
  readonly startedBy: PrincipalKind;
  /** W3C trace context of the request that started the project. */
  readonly traceparent: string | null;
}

/**
 * How an effect is settled when it began and nobody knows how it ended:
 * - repeat: doing it again does no harm
 * - query: ask the world first; only if it did not happen, do it
 * - ask: a person decides whether it is repeated or was done. Then the outcome is what that person answers, or null;
 *   an effect that has no use for such an outcome offers `repeat` alone.
 */
export type SettleRule<T extends Json> =
  | { readonly kind: 'repeat' }
  | { readonly kind: 'query'; readonly find: (run: EffectRun) => Promise<T | null> }
  | { readonly kind: 'ask'; readonly question: string; readonly options?: readonly EffectVerdictName[] };

export interface EffectRun {
  /** Stable over crashes: pass it on where the outside world can use it to spot a duplicate. */
  readonly key: string;
  /** Which run of the effect this is, from 1 on; rises when it is tried again or repeated. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  /**
   * Aborts when the project is to stop at its next safe point. An effect that takes long, and can leave what it has done
   * to a next one, ends then; every other one goes on to its end.
   */
  readonly pausing?: AbortSignal;
  /**
   * Adds an event to the project's history. Events of an effect are written with its outcome, and meanwhile with the
   * worker's heartbeat; what was told is kept however the effect ends, unless the worker dies first. Of one that tells
   * very much between two writes the rest is only counted, but for what `isRecord` says that others look for.
   */
  readonly tell: (type: string, data: JsonObject, isRecord?: boolean) => void;
  /**
   * The right under which the effect runs. Whatever it starts must be registered under it before it works: a worker
   * that lost the project can then start nothing, and the next one finds everything that was started before.
   */
  readonly lease: Lease;
}

export interface Effect<T extends Json> {
  /** Unique within one visit of the state. */
  readonly step: string;
  readonly settle: SettleRule<T>;
  readonly run: (run: EffectRun) => Promise<T>;
}

export interface Child {
  readonly key: string;
  readonly machine: string;
  readonly context: JsonObject;
}

export interface ChildResult {
  readonly key: string;
  readonly id: string;
  readonly outcome: 'completed' | 'aborted' | 'failed';
  /** The child's context key `result`, null if it set none. */
  readonly result: Json;
}

export interface ActivityContext {
  readonly project: ProjectFacts;
  readonly state: string;
  readonly visit: number;
  readonly incarnation: number;
  readonly context: Readonly<Record<string, Json>>;
  /** How often bounded branches were taken, this visit's among them; by the bound's name, and what it is counted per. */
  readonly counters: Readonly<Record<string, number>>;
  /** Aborts when the project is aborted, skipped or its lease is lost. Hand it to everything that takes one. */
  readonly signal: AbortSignal;
  /** The newest checkpoint: whoever writes it down outside the database can later prove that none was cut off. */
  readonly checkpoint: { readonly seq: number; readonly checksum: string };
  readonly effect: <T extends Json>(effect: Effect<T>) => Promise<T>;
  /** The children's results once all have ended; null while they run: then return `waitForChildren`. */
  readonly joined: (children: readonly Child[]) => Promise<readonly ChildResult[] | null>;
  /**
   * The results, by key, of those children that the project started in this visit of its present incarnation and that
   * have ended by now: what is left of a fan-out that was skipped. Children that were aborted when the visit was left
   * join them as they end, so only an effect that asks gets the same answer after a crash.
   */
  readonly endedChildren: (visit: number) => Promise<readonly ChildResult[]>;
}

/** What an activity reports. The engine, not the activity, decides what follows from it. */
export type Report =
  | { readonly kind: 'event'; readonly type: string; readonly data?: JsonObject; readonly patch?: JsonObject }
  | { readonly kind: 'wait-for-children'; readonly children: readonly Child[]; readonly patch?: JsonObject }
  | { readonly kind: 'wait'; readonly ms: number; readonly reason: string; readonly words?: string };

export type Activity = (context: ActivityContext) => Promise<Report>;

export const report = (type: string, patch: JsonObject = {}, data: JsonObject = {}): Report => ({
  kind: 'event',
  type,
  patch,
  data,
});
export const waitForChildren = (children: readonly Child[], patch: JsonObject = {}): Report => ({
  kind: 'wait-for-children',
  children,
  patch,
});
export const waitFor = (ms: number, reason: string, words?: string): Report => ({
  kind: 'wait',
  ms,
  reason,
  ...(words !== undefined && { words }),
});
