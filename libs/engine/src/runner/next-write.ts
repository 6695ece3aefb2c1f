import { idFromName, type Json } from '#kernel';
import type { Machine } from '../machine/machine.js';
import type { SignalBody } from '../machine/signals.js';
import { hasEnded, isWorkComplete, type Snapshot, stateOf, type Status, statusOf } from '../machine/snapshot.js';
import type { ProjectFacts } from '../ports/activity.js';
import type { NewEvent, StateTimer, Write } from '../ports/project-store.js';
import { announcementsOf } from './announcements.js';

/** The same fan-out always creates the same children: a crash between creating and knowing does no harm. */
export const childId = (projectId: string, at: { incarnation: number; visit: number }, key: string): string =>
  idFromName(`${projectId}/${String(at.incarnation)}/${String(at.visit)}/${key}`);

export interface Step {
  readonly machine: Machine;
  readonly facts: ProjectFacts;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly version: number;
  readonly cause: string;
}

/** Everything that one change of a project commits together: snapshot, events, timer, and word to parent and children. */
export function nextWrite(step: Step): Omit<Write, 'number'> & { readonly next: NonNullable<Write['next']> } {
  const { machine, before, after } = step;
  const entered = after.visit !== before.visit;
  // The time of a state stands still while the project is paused, and begins anew.
  const isTimed = entered || (before.paused && !after.paused);
  const timer = isTimed ? stateTimer(machine, step.facts, after) : undefined;
  return {
    next: {
      snapshot: after,
      version: step.version,
      status: statusOf(machine, after),
      cause: step.cause,
      changed: changedKeys(before.context, after.context),
    },
    events: eventsOf(step, entered),
    announcements: announcementsOf({ ...step, before: { ...before, status: statusOf(machine, before) } }),
    signals: [...wordToChildren(step), ...wordToParent(step)],
    ...(timer && { timer }),
  };
}

function changedKeys(before: Snapshot['context'], after: Snapshot['context']): Record<string, Json> {
  if (before === after) return {};
  const changed: [string, Json][] = [];
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key) || before[key] !== value) changed.push([key, value]);
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changed.push([key, null]);
  return Object.fromEntries(changed);
}

/** The timer that entering the snapshot's state sets, if the table has one there. */
export function stateTimer(
  machine: Machine,
  facts: Pick<ProjectFacts, 'parameters'>,
  snapshot: Snapshot,
): StateTimer | undefined {
  const timer = stateOf(machine, snapshot)?.timer;
  if (!timer) return undefined;
  const wanted = timer.parameter === undefined ? undefined : facts.parameters[timer.parameter];
  return { visit: snapshot.visit, event: timer.event, ms: timerMs(typeof wanted === 'number' ? wanted : timer.ms) };
}

const LONGEST_TIMER_MS = 2_147_483_647;

/** What the store can keep: whole milliseconds, from now to 24 days. */
export const timerMs = (ms: number): number => Math.min(Math.max(0, Math.trunc(ms) || 0), LONGEST_TIMER_MS);

function eventsOf({ machine, before, after, cause }: Step, entered: boolean): NewEvent[] {
  const events: NewEvent[] = [];
  if (entered) {
    const gate = stateOf(machine, after)?.gate;
    events.push({ type: 'state.entered', data: { cause, from: before.state, to: after.state } });
    if (gate) events.push({ type: 'gate.opened', data: { gate: gate.name, ask: gate.ask } });
  }
  if (isWorkComplete(after) && !isWorkComplete(before)) {
    events.push({ type: 'project.completed', data: { state: after.state } });
  }
  if (before.paused !== after.paused) {
    events.push({ type: after.paused ? 'project.paused' : 'project.resumed', data: {} });
  }
  if (after.wait && after.wait !== before.wait) {
    events.push({ type: 'project.waits', data: { ...after.wait } });
  }
  if (after.failure) events.push({ type: 'project.failed', data: { ...after.failure } });
  events.push(...endOf(statusOf(machine, after), after));
  return events;
}

/** A project that was told to be complete is not told so twice: what ends then is its clean-up. */
function endOf(status: Status, after: Snapshot): NewEvent[] {
  if (!hasEnded(status) || status === 'failed') return [];
  const isToldBefore = status === 'completed' && isWorkComplete(after);
  if (isToldBefore) return [{ type: 'project.ended', data: { status, state: after.state } }];
  return [{ type: `project.${status}`, data: { state: after.state } }];
}

type Word = NonNullable<Write['signals']>[number];

function wordToParent({ machine, facts, before, after }: Step): Word[] {
  const isNews = hasEnded(statusOf(machine, after)) && !hasEnded(statusOf(machine, before));
  if (!facts.parent || !isNews) return [];
  const body: SignalBody = { kind: 'child', visit: facts.parent.visit, key: facts.parent.key };
  return [{ to: facts.parent.id, by: 'engine', body }];
}

/** Children follow their parent: they pause and resume with it, and end when it leaves the state that wants them. */
function wordToChildren({ facts, before, after }: Step): Word[] {
  if (before.wait?.kind !== 'children') return [];
  const hasLeft = after.visit !== before.visit || after.failure !== null;
  const command = hasLeft ? 'ABORT' : after.paused !== before.paused ? (after.paused ? 'PAUSE' : 'RESUME') : null;
  if (command === null) return [];
  return before.wait.keys.map((key): Word => {
    const id = `${facts.id}/${String(after.incarnation)}/${String(after.visit)}/${command}`;
    return { to: childId(facts.id, before, key), by: 'engine', body: { kind: 'command', id, command, visit: 0 } };
  });
}
