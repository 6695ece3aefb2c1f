import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { errorMessage } from '#kernel';
import { usage } from '../failure.js';
import type { Command, Given, Options } from './command.js';

/** Options of every command. */
export const COMMON = {
  url: { type: 'string', value: 'ADDRESS', help: 'where the service is; else QRALPH_URL, else this machine' },
  key: { type: 'string', value: 'KEY', help: 'the API key; else QRALPH_KEY, else admin.key in the data folder' },
  json: { type: 'boolean', help: 'the result as JSON: one document, or one line for each of many events' },
  'no-color': { type: 'boolean', help: 'no colours, also on a terminal; NO_COLOR does the same' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Options;

export interface Common {
  readonly url?: string;
  readonly key?: string;
  readonly json: boolean;
  /** No colours. */
  readonly isPlain: boolean;
  readonly help: boolean;
}

/** What was typed behind the name of a command. Thrown as USAGE where that makes no sense. */
export function parseLine(command: Command, args: readonly string[]): Given & { readonly common: Common } {
  const { values, positionals } = parsed({ ...command.options, ...COMMON }, args, command);
  const { url, key, json, 'no-color': noColor, help, ...own } = values as Given['values'];
  const common = {
    ...(typeof url === 'string' && { url }),
    ...(typeof key === 'string' && { key }),
    json: json === true,
    isPlain: noColor === true,
    help: help === true,
  };
  if (!common.help) checkCount(command, positionals);
  return { values: own, positionals, common };
}

function parsed(options: Options, args: readonly string[], command: Command) {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple }]) => [
      name,
      { type, multiple: multiple === true, ...(name === 'help' && { short: 'h' }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const [words = ''] = errorMessage(error).split(/\.? To specify a positional|\.?\n/);
    throw usage(`${words.replace(/\.$/, '')}. See qralph ${command.name} --help`);
  }
}

function checkCount(command: Command, given: readonly string[]): void {
  const words = command.positionals.split(' ').filter(Boolean);
  const line = ['qralph', command.name, ...words].join(' ');
  const needed = words.filter((word) => !word.startsWith('['));
  if (given.length < needed.length) {
    throw usage(`${needed[given.length] ?? ''} is missing: ${line}`);
  }
  const most = words.some((word) => word.includes('…')) ? Infinity : words.length;
  if (given.length > most) {
    throw usage(`“${given[most] ?? ''}” is one too many: ${line}. Several words are one in quotes`);
  }
}
