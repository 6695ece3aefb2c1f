import type { MachineView } from '#contracts';
import { type Machine, toMermaid } from '#engine';
import type { Json } from '#kernel';

export function machineView(
  machine: Machine,
  about: Pick<MachineView, 'mode' | 'available' | 'needsRepo'>,
): MachineView {
  const { name, version, initial, abortTo } = machine;
  const states = machine.states as unknown as Record<string, Json>;
  return { name, version, ...about, initial, abortTo, states, mermaid: toMermaid(machine) };
}
