import type { Machine } from '#engine';
import { classicMachine } from './classic/machine.js';
import { codingMachine } from './coding/machine.js';
import { workMachine } from './work/machine.js';

/** The machines that `docs/machines.md` shows, in its order. */
export const documentedMachines: readonly Machine[] = [codingMachine, workMachine, classicMachine];
