import { type Job, jobs } from '../targets/index.js';
import { type OutcomeCase, solvable } from './case.js';

/** The same scenarios, but whoever plans them leaves open how to try them. */
const scenariosForTester = ({ task }: Job) =>
  task.scenarios.map(({ title, command }) => ({ title, command: null, trial: command ?? '' }));

/** Point 4: the tester of a scenario answers badly, not the work. */
export const acceptance: readonly OutcomeCase[] = [
  solvable({
    name: 'tester-answers-badly',
    point: 4,
    job: jobs.addSimilarity,
    believes: { scenarios: scenariosForTester(jobs.addSimilarity) },
    mistakes: [{ kind: 'bad-json', role: 'tester', times: 2 }],
    protocol: 'openai',
  }),
  solvable({
    name: 'tester-never-answers',
    point: 4,
    job: jobs.addSimilarity,
    believes: { scenarios: scenariosForTester(jobs.addSimilarity) },
    mistakes: [{ kind: 'bad-json', role: 'tester' }],
    tells: { 'SUMMARY.md': /Done and proven[^]*S-001 .* was not decided: No tester came to a verdict/ },
  }),
];
