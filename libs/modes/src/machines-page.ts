import { type Machine, machineId, type State, toMermaid } from '#engine';

/** The page of `docs/machines.md`: each machine as a diagram and as a list of its states. */
export function renderMachinesPage(machines: readonly Machine[]): string {
  const head = [
    '# Machines',
    '',
    'Rendered from the tables in `libs/modes` by `node scripts/render-machines.mjs` after a build; a test fails when this page is stale.',
    'ABORT leads from every state that is not terminal to the state named below; PAUSE, RESUME and STATUS act on all states alike.',
    '',
  ];
  return [...head, ...machines.flatMap(section)].join('\n');
}

function section(machine: Machine): string[] {
  return [
    `## ${machineId(machine)}`,
    '',
    `Begins in \`${machine.initial}\`; ABORT leads to \`${machine.abortTo}\`.`,
    '',
    '```mermaid',
    toMermaid(machine).trimEnd(),
    '```',
    '',
    ...Object.entries(machine.states).map(([name, state]) => `- \`${name}\` ${describe(state).join('; ')}`),
    '',
  ];
}

function describe({ do: activity, gate, timer, remembers, completes, end }: State): string[] {
  const traits: string[] = [];
  if (activity) traits.push(`runs \`${activity}\``);
  if (gate) traits.push(`waits for a person, gate \`${gate.name}\`: ${Object.keys(gate.options).join(', ')}`);
  if (timer) traits.push(`after ${String(timer.ms / 1_000)} s by itself: \`${timer.event}\``);
  if (remembers) traits.push('remembers where it came from');
  if (completes) traits.push('completes the work: `project.completed` is told on entering it');
  if (end) traits.push(`is terminal: the project has ${end}, or was aborted`);
  return traits;
}
