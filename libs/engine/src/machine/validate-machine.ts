import { type Machine, RETURN, type State } from './machine.js';

export interface Provided {
  readonly activities: ReadonlySet<string>;
  readonly guards: ReadonlySet<string>;
}

/** Everything that is wrong with a machine; an empty list means that it may run. */
export function machineFaults(machine: Machine, provided?: Provided): string[] {
  const faults = [...unknownNames(machine), ...shapeFaults(machine)];
  if (faults.length === 0) faults.push(...unreachable(machine), ...stuck(machine), ...unboundedLoops(machine));
  if (provided) faults.push(...unprovided(machine, provided));
  return faults.map((fault) => `${machine.name}@${String(machine.version)}: ${fault}`);
}

function unknownNames(machine: Machine): string[] {
  const known = (state: string): boolean => Object.hasOwn(machine.states, state);
  const faults: string[] = [];
  if (!known(machine.initial)) faults.push(`initial state ${machine.initial} is unknown`);
  if (!known(machine.abortTo)) faults.push(`abort leads to the unknown state ${machine.abortTo}`);
  for (const [name, state] of Object.entries(machine.states)) {
    for (const [event, branches] of Object.entries(state.on)) {
      for (const { to } of branches) {
        if (to !== RETURN && !known(to)) faults.push(`${name} on ${event} leads to the unknown state ${to}`);
        if (to === RETURN && !state.remembers) faults.push(`${name} on ${event} returns, but does not remember`);
      }
    }
    if (state.timer && !Object.hasOwn(state.on, state.timer.event)) {
      faults.push(`${name} has a timer whose event ${state.timer.event} it does not accept`);
    }
    for (const event of Object.values(state.gate?.options ?? {})) {
      if (!Object.hasOwn(state.on, event)) faults.push(`${name} has a gate whose event ${event} it does not accept`);
    }
  }
  return faults;
}

function shapeFaults(machine: Machine): string[] {
  const faults: string[] = [];
  for (const [name, state] of Object.entries(machine.states)) {
    if (state.end && Object.keys(state.on).length > 0) faults.push(`${name} is terminal and still has events`);
    if (!state.end && Object.keys(state.on).length === 0) faults.push(`${name} is a dead end that is not terminal`);
    if (state.do && state.gate) faults.push(`${name} has both an activity and a gate`);
    if (!state.end && !state.do && !state.gate && !state.timer) {
      faults.push(`${name} has no activity, gate or timer: nothing would ever leave it`);
    }
    for (const [event, branches] of Object.entries(state.on)) {
      if (branches.length === 0) faults.push(`${name} on ${event} has no branch`);
    }
  }
  return faults;
}

/** The states that can follow this one. ABORT is left out: it leaves every state and proves nothing about the table. */
function successors(machine: Machine, name: string): string[] {
  const state = machine.states[name];
  if (!state) return [];
  const targets = Object.values(state.on).flatMap((branches) => branches.map((branch) => branch.to));
  return targets.flatMap((to) => (to === RETURN ? entrancesOf(machine, name) : [to]));
}

function entrancesOf(machine: Machine, target: string): string[] {
  return Object.entries(machine.states)
    .filter(([, state]) => Object.values(state.on).some((branches) => branches.some((b) => b.to === target)))
    .map(([name]) => name);
}

function reachableFrom(machine: Machine, starts: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...starts];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...successors(machine, name));
  }
  return seen;
}

function unreachable(machine: Machine): string[] {
  const reached = reachableFrom(machine, [machine.initial, machine.abortTo]);
  return Object.keys(machine.states)
    .filter((name) => !reached.has(name))
    .map((name) => `${name} is unreachable`);
}

function stuck(machine: Machine): string[] {
  const isEnd = (name: string): boolean => machine.states[name]?.end !== undefined;
  return Object.keys(machine.states)
    .filter((name) => ![...reachableFrom(machine, [name])].some(isEnd))
    .map((name) => `${name} can never reach a terminal state`);
}

/** A loop that no bound and no person interrupts could run for ever. */
function unboundedLoops(machine: Machine): string[] {
  const free = (name: string): string[] => {
    const state = machine.states[name];
    if (!state || state.gate) return [];
    return freeTargets(state).filter((to) => to !== RETURN);
  };
  const faults: string[] = [];
  for (const start of Object.keys(machine.states)) {
    const seen = new Set<string>();
    const open = free(start);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (name === start) {
        faults.push(`${start} lies on a loop without a bound`);
        break;
      }
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...free(name));
    }
  }
  return faults;
}

function freeTargets(state: State): string[] {
  return Object.entries(state.on)
    .filter(([event]) => event !== event.toUpperCase())
    .flatMap(([, branches]) => branches.filter((b) => !b.bound && b.by !== 'human').map((b) => b.to));
}

function unprovided(machine: Machine, provided: Provided): string[] {
  const faults: string[] = [];
  for (const [name, state] of Object.entries(machine.states)) {
    if (state.do && !provided.activities.has(state.do)) faults.push(`${name}: nobody provides activity ${state.do}`);
    for (const { when } of Object.values(state.on).flat()) {
      if (when && !provided.guards.has(when)) faults.push(`${name}: nobody provides guard ${when}`);
    }
  }
  return faults;
}
