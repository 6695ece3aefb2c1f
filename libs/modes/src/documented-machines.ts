import type { Machine } from '#engine';
import { classicMachine } from './classic/machine.js';
import { codingMachine } from './coding/machine.js';
import { reviewMachine } from './coding/reviewer/machine.js';
import { drillMachine } from './drill/machine.js';
import { errandMachine } from './errand/machine.js';
import { workMachine } from './work/machine.js';

/** The machines that `docs/machines.md` shows, in its order. */
export const documentedMachines: readonly Machine[] = [
  errandMachine, drillMachine, codingMachine, reviewMachine, workMachine, classicMachine,
]; // prettier-ignore
