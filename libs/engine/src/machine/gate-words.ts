import { type Machine, machineId, type State } from './machine.js';

/**
 * What whoever is asked by a machine's gates would not be told. Apart from what keeps a machine from running: a table
 * that was kept before its gates had such words still runs.
 */
export function wordFaults(machine: Machine): string[] {
  const faults = Object.entries(machine.states).flatMap(([name, state]) => gateFaults(name, state));
  return faults.map((fault) => `${machineId(machine)}: ${fault}`);
}

function gateFaults(name: string, { gate, timer }: State): string[] {
  if (!gate) return [];
  const { options, consequences = {}, default: byItself } = gate;
  const unsaid = Object.keys(options).filter((option) => !isSaid(consequences, option));
  const unheard = Object.keys(consequences).filter((option) => !Object.hasOwn(options, option));
  return [
    ...unsaid.map((option) => `${name} does not say what ${option} leads to`),
    ...unheard.map((option) => `${name} says what ${option} leads to, which is no option there`),
    ...(timer && !byItself?.trim() ? [`${name} has a timer and does not say what happens by itself`] : []),
    ...(!timer && byItself !== undefined ? [`${name} says what happens by itself, but has no timer`] : []),
  ];
}

const isSaid = (consequences: Readonly<Record<string, string>>, option: string): boolean =>
  Object.hasOwn(consequences, option) && consequences[option]?.trim() !== '';
