import { resolve } from 'node:path';
import { command } from '../args/command.js';
import { examine } from '../doctor/examine.js';
import { EXIT } from '../exit-codes.js';
import { clean } from '../show/clean.js';
import { dim, green, red, yellow } from '../show/style.js';

const MARKS = { ok: green('ok  '), note: yellow('note'), bad: red('BAD ') } as const;

export const doctor = command({
  name: 'doctor',
  summary: 'what is wrong with the service, the key or this machine, and what to do',
  positionals: '',
  options: { repo: { type: 'string', value: 'FOLDER', help: 'may the service work in this repository?' } },
  notes: [
    'Ends with 0 where nothing is bad; else with 5 where no service answers, 6 where the key is wrong, 7 for the rest.',
    'What is found on the PATH is found on this machine; what the service says is said of its own.',
  ],
  examples: ['qralph doctor', 'qralph doctor --repo . --json'],
  async run({ api, out, settings }, { values: { repo } }) {
    const path = repo === undefined ? null : resolve(settings.folder, repo);
    const report = clean(await examine(api, settings, path));
    const exitCode = report.exitCode;
    if (out.isJson) out.json(report);
    else {
      for (const { level, name, says, remedy } of report.checks) {
        out.lines(
          `${MARKS[level]} ${name.padEnd(12)} ${says}`,
          ...(remedy === null ? [] : [dim(`     ${' '.repeat(12)} → ${remedy}`)]),
        );
      }
      out.lines('', exitCode === EXIT.ok ? 'nothing is in the way' : red('something is in the way: see BAD'));
    }
    return exitCode;
  },
});
