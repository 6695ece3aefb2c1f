import { type Branch, type Machine, RETURN, type State, TABLE_COMMANDS } from './machine.js';

/** The states that can follow this one. ABORT is left out: it leaves every state and proves nothing about the table. */
function successors(machine: Machine, name: string): string[] {
  const state = machine.states[name];
  if (!state) return [];
  const targets = Object.values(state.on).flatMap((branches) => branches.map((branch) => branch.to));
  return withReturns(machine, name, targets);
}

function withReturns(machine: Machine, name: string, targets: readonly string[]): string[] {
  return targets.flatMap((to) => (to === RETURN ? entrancesOf(machine, name) : [to]));
}

/** The states that lead to this one. */
export function entrancesOf(machine: Machine, target: string): string[] {
  return Object.entries(machine.states)
    .filter(([, state]) => Object.values(state.on).some((branches) => branches.some((b) => b.to === target)))
    .map(([name]) => name);
}

function reachableFrom(starts: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...starts];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...next(name));
  }
  return seen;
}

export function unreachable(machine: Machine): string[] {
  const reached = reachableFrom([machine.initial, machine.abortTo], (name) => successors(machine, name));
  return Object.keys(machine.states)
    .filter((name) => !reached.has(name))
    .map((name) => `${name} is unreachable`);
}

export function stuck(machine: Machine): string[] {
  const isEnd = (name: string): boolean => machine.states[name]?.end !== undefined;
  return Object.keys(machine.states)
    .filter((name) => ![...reachableFrom([name], (one) => successors(machine, one))].some(isEnd))
    .map((name) => `${name} can never reach a terminal state`);
}

/** A loop that no bound and no person interrupts could run for ever. */
export function unboundedLoops(machine: Machine): string[] {
  const free = (name: string): string[] => {
    const state = machine.states[name];
    return state ? withReturns(machine, name, freeTargets(state)) : [];
  };
  return Object.keys(machine.states)
    .filter((name) => reachableFrom(free(name), free).has(name))
    .map((name) => `${name} lies on a loop without a bound`);
}

/** Whether the engine may come back to the state without a person, be it often or once. */
export function returnsByItself(machine: Machine, name: string): boolean {
  const next = (one: string): string[] => {
    const state = machine.states[one];
    return state
      ? withReturns(
          machine,
          one,
          branchesByItself(state).map((b) => b.to),
        )
      : [];
  };
  return reachableFrom(next(name), next).has(name);
}

/** Where the engine may go by itself, as often as it likes: not by a command, and out of a gate only by its timer. */
const freeTargets = (state: State): string[] =>
  branchesByItself(state).flatMap((branch) => (branch.bound ? [] : [branch.to]));

const branchesByItself = (state: State): Branch[] =>
  Object.entries(state.on)
    .filter(([event]) => isByItself(state, event))
    .flatMap(([, branches]) => branches.filter((branch) => branch.by !== 'human'));

export function isByItself(state: State, event: string): boolean {
  if (state.gate) return event === state.timer?.event;
  return !TABLE_COMMANDS.some((command) => command === event);
}
