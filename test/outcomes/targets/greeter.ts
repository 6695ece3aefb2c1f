import { GREETER } from '../../../apps/orchestrator/src/demo/demo-repository.js';
import { moduleTest, nodeCheck, nodeOracle, type Target, type Task } from './target.js';

/** The repository of the demo: the playbook of the simulated model fits it. */
export const greeter: Target = { name: 'greeter', files: GREETER, testCommand: 'npm test' };

const toggles = "assert.equal(toggle('light'), 'dark'); assert.equal(toggle('dark'), 'light');";

export const addToggle: Task = {
  request: 'Add dark mode toggle',
  class: 'behaviour',
  parts: [
    {
      title: 'toggle gives the other theme',
      interface: 'import { toggle } from "./theme.mjs"',
      check: nodeCheck('check-toggle.test.mjs', moduleTest('{ toggle }', './theme.mjs', { toggles })),
    },
  ],
  right: {
    files: {
      'theme.mjs': "export function toggle(theme) {\n  return theme === 'light' ? 'dark' : 'light';\n}\n",
      'theme.test.mjs': moduleTest('{ toggle }', './theme.mjs', { 'gives the other theme': toggles }),
    },
  },
  wrong: { 'always dark': { files: { 'theme.mjs': "export function toggle() {\n  return 'dark';\n}\n" } } },
  scenarios: [
    {
      title: 'light becomes dark',
      command:
        "node --input-type=module -e \"import { toggle } from './theme.mjs'; process.exit(toggle('light') === 'dark' ? 0 : 1)\"",
    },
  ],
  oracle: nodeOracle('oracle.test.mjs', moduleTest('{ toggle }', './theme.mjs', { toggles })),
};
