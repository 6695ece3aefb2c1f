import { cliConfigTable } from '#config';
import { EXIT_MEANINGS } from '../exit-codes.js';
import { COMMANDS } from '../commands/index.js';
import { codeOf, helpOf } from './help.js';

/** The part of docs/cli.md that is made from the commands themselves. */
export function cliPage(): string {
  const codes = Object.entries(EXIT_MEANINGS).map(([why, meaning]) => `| ${codeOf(why)} | ${meaning} |`);
  return [
    '## Exit codes',
    ['| code | meaning |', '| --- | --- |', ...codes].join('\n'),
    '## Environment',
    cliConfigTable().trimEnd(),
    '## Commands',
    ...COMMANDS.flatMap((command) => [`### ${command.name}`, ['```text', ...helpOf(command), '```'].join('\n')]),
    '',
  ].join('\n\n');
}
