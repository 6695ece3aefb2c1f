import { type Branch, type Machine, RETURN } from './machine.js';

/** The machine as a Mermaid state diagram: the table is the documentation. */
export function toMermaid(machine: Machine): string {
  const names = Object.keys(machine.states);
  const lines = ['stateDiagram-v2', ...names.flatMap(alias), `  [*] --> ${idOf(machine.initial)}`];
  for (const [name, state] of Object.entries(machine.states)) {
    const branches = Object.entries(state.on).flatMap(([event, list]) => list.map((branch) => ({ event, branch })));
    if (branches.some(({ branch }) => branch.to === RETURN)) {
      lines.push(`  state "where it came from" as ${returnOf(name)}`);
    }
    for (const { event, branch } of branches) {
      const to = branch.to === RETURN ? returnOf(name) : idOf(branch.to);
      lines.push(`  ${idOf(name)} --> ${to}: ${label(event, branch)}`);
    }
    if (state.gate) lines.push(`  note right of ${idOf(name)}: waits for a person (${plain(state.gate.name)})`);
    if (state.end) lines.push(`  ${idOf(name)} --> [*]`);
  }
  return lines.join('\n') + '\n';
}

/** Mermaid ends an id at the first character that is not of a word. */
const idOf = (name: string): string => name.replace(/\W/g, '_');
const returnOf = (name: string): string => `${idOf(name)}_returns`;
const alias = (name: string): string[] =>
  idOf(name) === name ? [] : [`  state "${plain(name).replaceAll('"', "'")}" as ${idOf(name)}`];

/** A colon or semicolon would end the text, a hash would begin a comment. */
const plain = (text: string): string => text.replace(/[:;#\s]+/g, ' ').trim();

function label(event: string, branch: Branch): string {
  const { when, bound, by, aborts } = branch;
  const conditions = [
    when,
    bound && `at most ${String(bound.max)}${bound.per ? ` per ${bound.per}` : ''}`,
    by && `${by} only`,
    aborts && 'ends as aborted',
  ].filter((one) => one !== undefined);
  return plain(conditions.length > 0 ? `${event} [${conditions.join(', ')}]` : event);
}
