import { type Branch, type Machine, RETURN, type State } from './machine.js';
import { entrancesOf, isByItself, returnsByItself, stuck, unboundedLoops, unreachable } from './machine-graph.js';

export interface Provided {
  readonly activities: ReadonlySet<string>;
  readonly guards: ReadonlySet<string>;
}

/** Commands that act on every state alike and never reach a table. */
const KEPT_BY_ENGINE: readonly string[] = ['ABORT', 'PAUSE', 'RESUME', 'STATUS'];

/** Everything that is wrong with a machine; an empty list means that it may run. */
export function machineFaults(machine: Machine, provided?: Provided): string[] {
  const states = Object.entries(machine.states);
  const faults = [
    ...unknownNames(machine),
    ...states.flatMap(([name, state]) => [...shapeFaults(name, state), ...eventFaults(machine, name, state)]),
    ...memoryFaults(machine),
  ];
  if (faults.length === 0) {
    faults.push(...unreachable(machine), ...stuck(machine), ...unboundedLoops(machine), ...completionFaults(machine));
  }
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

function shapeFaults(name: string, state: State): string[] {
  const faults: string[] = [];
  const events = Object.keys(state.on).length;
  if (state.end && events > 0) faults.push(`${name} is terminal and still has events`);
  if (state.end && (state.gate || state.timer || state.remembers)) {
    faults.push(`${name} is terminal and still waits for something`);
  }
  if (!state.end && events === 0) faults.push(`${name} is a dead end that is not terminal`);
  if (state.do && state.gate) faults.push(`${name} has both an activity and a gate`);
  if (!state.end && !state.do && !state.gate && !state.timer) {
    faults.push(`${name} has no activity, gate or timer: nothing would ever leave it`);
  }
  if (state.gate && Object.keys(state.gate.options).length === 0) {
    faults.push(`${name} has a gate that offers no decision`);
  }
  if (state.timer && !(state.timer.ms > 0)) faults.push(`${name} has a timer without a time`);
  return faults;
}

function eventFaults(machine: Machine, name: string, state: State): string[] {
  const faults: string[] = [];
  for (const [event, branches] of Object.entries(state.on)) {
    if (KEPT_BY_ENGINE.includes(event)) faults.push(`${name} names ${event}, which no table ever sees`);
    if (branches.length === 0) faults.push(`${name} on ${event} has no branch`);
    else if (isByItself(state, event) && !branches.some(isOpenToEngine)) {
      faults.push(`${name} on ${event} is a dead end once its guards and bounds say no`);
    }
    for (const { bound, aborts, to } of branches) {
      if (bound && !(Number.isInteger(bound.max) && bound.max > 0)) {
        faults.push(`${name} on ${event} has a bound ${bound.name} that is not a positive whole number`);
      }
      if (bound?.name.startsWith('@')) faults.push(`${name} on ${event} has a bound with a name of the engine's`);
      if (aborts && to !== machine.abortTo) faults.push(`${name} on ${event} aborts, but not to ${machine.abortTo}`);
    }
  }
  return faults;
}

const isOpenToEngine = (branch: Branch): boolean => !branch.when && !branch.bound && branch.by !== 'human';

/** One place is remembered, not a stack of them: a second memory would overwrite the first. */
function memoryFaults(machine: Machine): string[] {
  const faults: string[] = [];
  for (const [name, state] of Object.entries(machine.states)) {
    const returns = Object.entries(state.on).filter(([, branches]) => branches.some(({ to }) => to === RETURN));
    if (!state.remembers) {
      faults.push(...returns.map(([event]) => `${name} on ${event} returns, but does not remember`));
      continue;
    }
    if (name === machine.initial) faults.push(`${name} remembers, but the machine begins there`);
    if (name === machine.abortTo) faults.push(`${name} remembers: an aborted project could return from it`);
    for (const entrance of entrancesOf(machine, name)) {
      if (entrance !== name && machine.states[entrance]?.remembers) {
        faults.push(`${name} forgets what ${entrance} remembers`);
      }
    }
  }
  return faults;
}

/** What was told to be complete must not turn out to be work that goes on by itself. */
function completionFaults(machine: Machine): string[] {
  const faults: string[] = [];
  for (const [name] of Object.entries(machine.states).filter(([, state]) => state.completes)) {
    if (name === machine.initial) faults.push(`${name} completes the work, but the machine begins there`);
    if (machine.states[name]?.end) faults.push(`${name} completes the work, but is terminal, which says so already`);
    if (returnsByItself(machine, name)) faults.push(`${name} completes the work, but is entered again by itself`);
  }
  return faults;
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
