import { commandsOf, controlPage } from '#control';
import type { ProjectFacts } from '#engine';
import { documentedMachines } from '../../documented-machines.js';

/** CONTROL.md as a project of this machine begins with it. */
export const controlPageOf = ({ name, machine }: Pick<ProjectFacts, 'name' | 'machine'>): string =>
  controlPage(name, commandsOf(documentedMachines.find((one) => one.name === machine)));
