import { initialSnapshot, isRunnable, type Snapshot, statusOf } from '../machine/snapshot.js';
import type { Child, ProjectFacts } from '../ports/activity.js';
import type { RunnableMachine } from '../ports/machine-registry.js';
import type { NewChild } from '../ports/project-store.js';
import { childId, stateTimer } from './next-write.js';

/** A child is a project of its own: any worker takes it, and everything that holds for projects holds for it. */
export function newborn(parent: ProjectFacts, at: Snapshot, child: Child, { machine }: RunnableMachine): NewChild {
  const snapshot = initialSnapshot(machine, child.context);
  const facts: ProjectFacts = {
    ...parent,
    id: childId(parent.id, at, child.key),
    name: `${parent.name}/${String(at.incarnation)}.${String(at.visit)}/${child.key}`,
    machine: machine.name,
    machineVersion: machine.version,
    parent: { id: parent.id, key: child.key, visit: at.visit },
  };
  return {
    facts,
    snapshot,
    incarnation: at.incarnation,
    timer: stateTimer(machine, facts, snapshot),
    status: statusOf(machine, snapshot),
    runnable: isRunnable(machine, snapshot),
  };
}
