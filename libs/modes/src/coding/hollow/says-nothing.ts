import { isPlainScript } from './plain-script.js';
import type { Word } from './words.js';

/** Succeed whatever the code does, or only show, pass on and tidy up: their exit code says nothing of it. */
const SAYS_NOTHING = new Set(
  [
    'true : echo printf pwd sleep export cd continue unset local readonly declare alias trap shift umask read wait',
    'cat tac head tail less more tee tr cut uniq wc nl rev fold column paste sed sort awk ls tree find du df stat file',
    'date whoami id uname hostname printenv seq yes clear basename dirname realpath od xxd hexdump',
    'rm mkdir touch kill git',
  ].flatMap((line) => line.split(' ')),
);

/** Unless they are given this. */
const BUT_WITH: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /exit/],
  ['find', / -exec/],
  ['git', /^(?!(?:status|log|show|branch|diff|add)\b)|--(?:exit-code|quiet|check)/],
  ['kill', /^-0/],
  ['sort', /^-c|--check/i],
  ['wait', /./],
]);

const TOOLS = new Set('node npm npx pnpm yarn bun deno tsc python python3 pip go cargo ruby java git'.split(' '));
const ABOUT_ITSELF = /^(?:-v|-V|-h|--version|--help|version|help)$/;
/** Where the script is not there, nothing is run, and that is no failure. */
const IF_PRESENT = '--if-present';

const SCRIPT_BEHIND: ReadonlyMap<string, RegExp> = new Map([
  ...['node', 'bun', 'tsx'].map((name) => [name, /^(?:-e|--eval|-p|--print|-pe)$/] as const),
  ...['python', 'python3'].map((name) => [name, /^-c$/] as const),
]);

/** Whether the exit code of a command that is known says nothing of the code. One that is not known is believed. */
export function saysNothing(name: string, args: readonly Word[]): boolean {
  const texts = args.map(({ text }) => text);
  if (TOOLS.has(name)) {
    if (texts.length === 1 && ABOUT_ITSELF.test(texts[0] ?? '')) return true;
    if (texts.includes(IF_PRESENT)) return true;
  }
  if (SAYS_NOTHING.has(name)) return !(BUT_WITH.get(name)?.test(texts.join(' ')) ?? false);
  const option = SCRIPT_BEHIND.get(name);
  const script = option && args[texts.findIndex((text) => option.test(text)) + 1];
  return script !== undefined && script !== args[0] && isPlainScript(script.text);
}
