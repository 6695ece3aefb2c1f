import type { TestSelection } from './select-failures.js';
import { quoteWord, type ShellWord, splitWords } from './shell-words.js';
import { findRunner, type TestRunner } from './test-runners.js';

export interface FocusFacts {
  /** The scripts of package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of failing tests, as the failure readers print them. */
  readonly failures: readonly string[];
  /** Test files of which all tests run. */
  readonly files?: readonly string[];
}

/** With more failures the whole suite is hardly slower, and a command line has a greatest length. */
const MOST_SELECTED = 100;

interface Call {
  readonly runner: TestRunner;
  /** The words that stay: the program, its options, and plain words that are no filter. */
  readonly kept: readonly ShellWord[];
  readonly filters: readonly ShellWord[];
}

interface ScriptCall {
  readonly script: string;
  /** Words behind the script's name, which the manager hands on. */
  readonly more: readonly ShellWord[];
  /** What must stand between the command and words that are handed on. */
  readonly separator: string;
}

/** A command that runs only the selected tests, or their files; null if that is not certain. */
export function focusedCommand(command: string, { scripts, failures, files = [] }: FocusFacts): string | null {
  const selection = { failures, files };
  if (failures.length + files.length === 0) return null;
  const words = splitWords(command);
  if (words === null) return null;
  const script = readScriptCall(words);
  if (script !== null) return focusScript(command, script, scripts, selection);
  const call = readCall(words);
  return call === null ? null : focusCall(call, selection);
}

function focusCall({ runner, kept, filters }: Call, selection: TestSelection): string | null {
  if (runner.filters === 'refused' && filters.length > 0) return null;
  const selected = select(runner, selection);
  const before = runner.filters === 'kept' ? [...kept, ...filters] : kept;
  return selected === null ? null : [...before.map(({ raw }) => raw), ...selected].join(' ');
}

/** A manager adds words to the end of the script, so filters of the script itself would stay. */
function focusScript(
  command: string,
  called: ScriptCall,
  scripts: FocusFacts['scripts'],
  selection: TestSelection,
): string | null {
  const { script, more, separator } = called;
  const text = Object.hasOwn(scripts, script) ? (scripts[script] ?? '') : '';
  const words = text.trim() === '' ? null : splitWords(text);
  const call = words === null ? null : readCall([...words, ...more]);
  if (call === null) return null;
  const selected = select(call.runner, selection);
  if (selected === null) return null;
  if (call.filters.length === 0 || call.runner.filters === 'kept')
    return `${command}${separator} ${selected.join(' ')}`;
  const isSurrounded = Object.hasOwn(scripts, `pre${script}`) || Object.hasOwn(scripts, `post${script}`);
  return call.runner.name === 'node' && !isSurrounded ? focusCall(call, selection) : null;
}

function select(runner: TestRunner, selection: TestSelection): readonly string[] | null {
  const selected = runner.select(selection);
  return selected === null || selected.length > MOST_SELECTED ? null : selected.map(quoteWord);
}

function readCall(words: readonly ShellWord[]): Call | null {
  const found = findRunner(words.map(({ text }) => text));
  if (found === null) return null;
  const { runner, length } = found;
  const [kept, filters] = [[...words.slice(0, length)], [] as ShellWord[]];
  const rest = words.slice(length);
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at];
    if (word === undefined || runner.refused.test(word.text)) return null;
    if (!word.text.startsWith('-')) {
      (runner.subcommands.includes(word.text) && filters.length === 0 ? kept : filters).push(word);
      if (runner.name === 'vitest' && VITEST_OTHER.includes(word.text)) return null;
      continue;
    }
    kept.push(word);
    const next = rest[at + 1];
    if (next === undefined || word.text.includes('=') || runner.withoutValue.test(word.text)) continue;
    if (runner.withValue.includes(word.text)) {
      kept.push(next);
      at += 1;
    } else if (!next.text.startsWith('-')) return null;
  }
  return { runner, kept, filters };
}

const VITEST_OTHER = ['bench', 'watch', 'dev', 'related', 'list', 'init', 'typecheck'];
const QUIET = /^(?:-s|--silent|--quiet)$/;

/** `npm test`, `npm run x`, `pnpm x`, `yarn x`, `bun run x`; null for any other command. */
function readScriptCall(words: readonly ShellWord[]): ScriptCall | null {
  const [manager, ...rest] = words;
  const plain = rest.filter(({ text }) => !QUIET.test(text));
  const [first, second] = [plain[0]?.text ?? '', plain[1]?.text ?? ''];
  const isRun = first === 'run' || first === 'run-script';
  const script = isRun ? second : first === 't' ? 'test' : first;
  const more = plain.slice(isRun ? 2 : 1);
  switch (manager?.text) {
    case 'npm': {
      if (!isRun && script !== 'test') return null;
      const isSeparated = more[0]?.text === '--';
      // Words before `--` are npm's own: a workspace, a prefix.
      if (more.length > 0 && !isSeparated) return null;
      return { script, more: more.slice(1), separator: isSeparated ? '' : ' --' };
    }
    case 'bun':
      return isRun ? { script, more, separator: '' } : null;
    case 'pnpm':
    case 'yarn':
      return { script, more, separator: '' };
    default:
      return null;
  }
}
