import { EXIT, EXIT_MEANINGS } from '../exit-codes.js';
import type { Command, Options } from './command.js';
import { COMMON } from './parse-line.js';

/** Lines of the help of one command. */
export function helpOf({ name, summary, positionals, options, notes = [], examples }: Command): string[] {
  const has = Object.keys(options).length > 0 ? ' [OPTIONS]' : '';
  return [
    `qralph ${name}${positionals === '' ? '' : ` ${positionals}`}${has}`,
    '',
    `  ${summary}`,
    ...section('options', optionLines(options)),
    ...section('with every command', optionLines(COMMON)),
    ...section('notes', notes),
    ...section('examples', examples),
  ];
}

/** Lines of the help of the whole. */
export function helpOfAll(commands: readonly Command[]): string[] {
  const wide = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    'qralph COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    '  starts, watches and steers projects of a QRALPH service; qralph COMMAND --help says more of one,',
    '  and qralph --version which this is',
    ...section(
      'commands',
      commands.map(({ name, summary }) => `${name.padEnd(wide)}${summary}`),
    ),
    ...section('with every command', optionLines(COMMON)),
    ...section(
      'ends with',
      Object.entries(EXIT_MEANINGS).map(([why, meaning]) => `${codeOf(why).padEnd(5)}${meaning.replaceAll('`', '')}`),
    ),
  ];
}

export const codeOf = (why: string): string => String(EXIT[why as keyof typeof EXIT]);

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { value, help, multiple }]) => ({
    left: `--${name}${value === undefined ? '' : ` ${value}`}`,
    right: `${help}${multiple ? '; may be given several times' : ''}`,
  }));
  const wide = Math.max(0, ...rows.map(({ left }) => left.length)) + 2;
  return rows.map(({ left, right }) => left.padEnd(wide) + right);
}
