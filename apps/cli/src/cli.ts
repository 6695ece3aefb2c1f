import type { CliSettings } from '#config';
import { errorMessage, UserError } from '#kernel';
import { Client } from './api/client.js';
import { findKey } from './api/find-key.js';
import type { Command } from './args/command.js';
import { helpOf, helpOfAll } from './args/help.js';
import { type Common, parseLine } from './args/parse-line.js';
import { COMMANDS } from './commands/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { Failure, Refusal, usage } from './failure.js';
import { ownVersion } from './own-version.js';
import { Output, type Streams } from './show/output.js';
import { refusalLines } from './show/refusal-lines.js';

/** Runs one command line; whatever goes wrong is said and has its exit code. */
export async function runCli(
  args: readonly string[],
  streams: Streams,
  told: AbortSignal,
  load: () => CliSettings,
): Promise<ExitCode> {
  // Also a line that makes no sense is answered in the form that was asked for.
  const out = new Output(streams, args.includes('--json'), false);
  try {
    return await dispatch(args, streams, told, load);
  } catch (error) {
    return tell(error, out, told);
  }
}

async function dispatch(
  [name, ...rest]: readonly string[],
  streams: Streams,
  told: AbortSignal,
  load: () => CliSettings,
): Promise<ExitCode> {
  const plain = new Output(streams, false, false);
  const isHelp = name === undefined || name === '--help' || name === '-h' || name === 'help';
  if (isHelp) return help(rest.find((word) => !word.startsWith('-')), plain); // prettier-ignore
  if (name === '--version') return version(plain);
  if (name.startsWith('-')) throw usage(`${name} comes behind the command, as in qralph list ${name}`);
  const command = commandOf(name);
  const { common, ...given } = parseLine(command, rest);
  if (common.help) return help(name, plain);
  const settings = withOptions(load(), common);
  const out = new Output(streams, common.json, settings.mayColor && !common.isPlain);
  const api = new Client({ url: settings.url.replace(/\/+$/, ''), key: () => findKey(settings), signal: told });
  return command.run({ api, out, settings, told }, given);
}

function help(name: string | undefined, out: Output): ExitCode {
  out.lines(...(name === undefined ? helpOfAll(COMMANDS) : helpOf(commandOf(name))));
  return EXIT.ok;
}

async function version(out: Output): Promise<ExitCode> {
  out.lines(`qralph ${await ownVersion()}`);
  return EXIT.ok;
}

function commandOf(name: string): Command {
  const found = COMMANDS.find((one) => one.name === name);
  if (!found) throw usage(`there is no command “${name}”; there are ${COMMANDS.map((one) => one.name).join(', ')}`);
  return found;
}

/** What cannot be sent is no fault of the service. Neither a key nor an address with a password in it is repeated. */
function withOptions(settings: CliSettings, given: Common): CliSettings {
  const [url, key] = [given.url ?? settings.url, given.key ?? settings.key];
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw usage('--url must be an address such as http://127.0.0.1:3000');
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw usage('the address of the service takes no name and password: who asks is said by --key or QRALPH_KEY');
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw usage('--key must be an API key such as qr_…');
  return { ...settings, url, key };
}

function tell(error: unknown, out: Output, told: AbortSignal): ExitCode {
  if (told.aborted) return EXIT.interrupted;
  const failure = failureOf(error);
  const problem = failure instanceof Refusal ? failure.problem : { code: failure.code, detail: failure.message };
  // On one line: it may be the last of many.
  if (out.isJson) out.jsonLine({ error: problem, exitCode: failure.exit });
  else out.note(...refusalLines(problem));
  return failure.exit;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof UserError) return new Failure(EXIT.usage, error.code, error.message);
  const words = error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
  return new Failure(EXIT.bug, 'BUG', `a fault of qralph itself, please report it: ${words}`);
}
