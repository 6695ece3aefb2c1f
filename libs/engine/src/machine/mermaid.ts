import { type Branch, type Machine, RETURN } from './machine.js';

/** The machine as a Mermaid state diagram: the table is the documentation. */
export function toMermaid(machine: Machine): string {
  const lines = ['stateDiagram-v2', `  [*] --> ${machine.initial}`];
  for (const [name, state] of Object.entries(machine.states)) {
    for (const [event, branches] of Object.entries(state.on)) {
      for (const branch of branches) lines.push(`  ${name} --> ${target(name, branch)}: ${label(event, branch)}`);
    }
    if (state.gate) lines.push(`  note right of ${name}: waits for a person (${state.gate.name})`);
    if (state.end) lines.push(`  ${name} --> [*]`);
  }
  return lines.join('\n') + '\n';
}

const target = (from: string, branch: Branch): string => (branch.to === RETURN ? `${from}_returns` : branch.to);

function label(event: string, branch: Branch): string {
  const conditions = [
    branch.when,
    branch.bound && `at most ${String(branch.bound.max)}${branch.bound.per ? ` per ${branch.bound.per}` : ''}`,
    branch.by && `${branch.by} only`,
    branch.to === RETURN && 'back to where it came from',
  ].filter(Boolean);
  return conditions.length > 0 ? `${event} [${conditions.join(', ')}]` : event;
}
