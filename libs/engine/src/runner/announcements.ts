import { type JsonObject, secrets } from '#kernel';
import type { Machine } from '../machine/machine.js';
import { completionFacts } from './completion-facts.js';
import { isWorkComplete, type Snapshot, stateOf, type Status, statusOf } from '../machine/snapshot.js';
import type { ProjectFacts } from '../ports/activity.js';
import type { Announcement, NewEvent } from '../ports/project-store.js';

/** Texts of machines and effects are cut: an announcement is small, whatever they hold. */
const LONGEST_TEXT = 1_000;

type Before = Pick<Snapshot, 'state' | 'visit' | 'wait' | 'counters'> & { readonly status: Status };

export interface Change {
  readonly machine: Machine;
  readonly facts: Pick<ProjectFacts, 'id' | 'name' | 'parent'>;
  /** Null: the project is new. */
  readonly before: Before | null;
  readonly after: Snapshot;
  /** The number of the checkpoint that the change makes. */
  readonly version: number;
  readonly cause: string;
}

/**
 * What the world outside is told of a change. A child's is its parent's own business, but that it waits for a person:
 * its parent would wait for ever, and nobody know why.
 */
export function announcementsOf(change: Change): Announcement[] {
  const { machine, facts, before, after, version, cause } = change;
  const hasEntered = before?.visit !== after.visit;
  const status = statusOf(machine, after);
  const isNews = status !== before?.status || hasEntered || (after.wait !== null && after.wait !== before.wait);
  const news = isNews ? newsOf(machine, status, after) : [];
  if (facts.parent) {
    const child = { ...facts, state: after.state, version };
    return news.filter(isForPerson).map((one) => ofChild(child, one));
  }
  const told: Announcement[] = [];
  if (hasEntered) {
    told.push({ type: 'project.state_changed', data: { from: before?.state ?? null, to: after.state, cause } });
  }
  const isCompleted = before !== null && isWorkComplete(after) && !isWorkComplete(before);
  if (isCompleted) told.push({ type: 'project.completed', data: completionFacts(after.context) });
  return [...told, ...news];
}

const isForPerson = ({ type }: Announcement): boolean => type === 'project.waiting' || type === 'project.blocked';

export interface ToldChild extends Pick<ProjectFacts, 'id' | 'name'> {
  readonly state: string;
  readonly version: number;
}

/** About the project that the child works for. The checkpoint tells one wait from the next in the same words. */
export const ofChild = ({ id, name, state, version }: ToldChild, { type, data }: Announcement): Announcement => ({
  type,
  data: { child: { id, name, state, checkpoint: version }, ...data },
  isOnce: true,
});

function newsOf(machine: Machine, status: Status, after: Snapshot): Announcement[] {
  switch (status) {
    case 'waiting':
      return [{ type: 'project.waiting', data: { waitingFor: waitedFor(machine, after) } }];
    case 'blocked':
      return [{ type: 'project.blocked', data: { waitingFor: waitedFor(machine, after) } }];
    case 'completed':
      // Told when the work was complete: what ends now is its clean-up.
      return isWorkComplete(after) ? [] : [{ type: 'project.completed', data: completionFacts(after.context) }];
    case 'aborted':
      return [{ type: 'project.aborted', data: {} }];
    case 'failed':
      return [{ type: 'project.failed', data: failureOf(after) }];
    case 'running':
    case 'paused':
      return [];
  }
}

function waitedFor(machine: Machine, after: Snapshot): JsonObject {
  const { wait } = after;
  if (wait?.kind === 'step-failed') return { kind: 'step-failed', code: wait.code, message: brief(wait.message) };
  if (wait?.kind === 'effect') return { kind: 'gate', gate: 'settle-effect', ask: brief(wait.question) };
  const gate = stateOf(machine, after)?.gate;
  return gate ? { kind: 'gate', gate: gate.name, ask: brief(gate.ask) } : { kind: 'state', state: after.state };
}

const failureOf = ({ failure }: Snapshot): JsonObject =>
  failure ? { code: failure.code, message: brief(failure.message) } : {};

/** Secrets first: half of one that is cut is known to nobody any more. */
function brief(text: string): string {
  const safe = secrets.redact(text);
  return safe.length > LONGEST_TEXT ? `${safe.slice(0, LONGEST_TEXT - 1)}…` : safe;
}

/** Events that are also told outside, in the words that matter there. Each once, however many agents meet it. */
const TOLD_OUTSIDE: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  'budget.exceeded': ({ name = null, cap = null }) => ({ breaker: name, cap }),
};

/** Those of children are about the project that they work for. */
export const announcedEvents = (events: readonly NewEvent[]): Announcement[] =>
  events.flatMap(({ type, data }) => {
    const words = Object.hasOwn(TOLD_OUTSIDE, type) ? TOLD_OUTSIDE[type] : undefined;
    return words ? [{ type, data: words(data), isOnce: true }] : [];
  });
