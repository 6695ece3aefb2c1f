import { jobs } from '../targets/index.js';
import { type OutcomeCase, solvable } from './case.js';
import { lies } from './lies.js';
import { personCases } from './person.js';
import { solvableCases } from './solvable.js';
import { liesInWorkMode, personInWorkMode, solvableInWorkMode } from './work.js';

/** With no provider the playbook of the demo does what it is made for, and says that it is simulated. */
const simulated: OutcomeCase = {
  ...solvable({ name: 'playbook-that-fits', point: 11, job: jobs.addToggle, protocol: 'none' }),
  kind: 'simulated',
};

export const cases: readonly OutcomeCase[] = [
  ...solvableCases,
  ...solvableInWorkMode,
  ...lies,
  ...liesInWorkMode,
  ...personCases,
  ...personInWorkMode,
  simulated,
];

export type { OutcomeCase } from './case.js';
