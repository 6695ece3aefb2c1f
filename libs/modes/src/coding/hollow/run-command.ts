import { EITHER, type Ends, endsIn, OK, type Shell, turned } from './ends.js';
import { saysNothing } from './says-nothing.js';
import type { Word } from './words.js';

/** What `sh -c` is given. */
export interface InnerScript {
  readonly script: string;
  readonly endsOnFailure: boolean;
  readonly pipesFail: boolean;
}

/** Run what comes behind their options. */
const RUNS_ANOTHER = new Set('env time timeout command nohup nice exec eval stdbuf xargs sudo'.split(' '));
const OPTION = /^(?:-|\d+(?:\.\d+)?[smhd]?$)/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const SUBSTITUTION = /\$\((?!\()|`/;

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);
/** How many levels of `sh -c` are looked into. */
const DEEPEST = 1;

export function runCommand(given: readonly Word[], shell: Shell, inner: (script: InnerScript) => Ends): Ends {
  const [first, ...args] = given.slice(beginOf(given));
  if (!first) return given.some(({ text }) => SUBSTITUTION.test(text)) ? told(shell) : OK;
  const name = nameOf(first);
  switch (name) {
    case 'exit':
      return exited(args, shell);
    case 'set':
      return changed(args, shell);
    case 'break':
      return endsIn('breaks');
    case 'false':
      return endsIn('fails');
    case 'test':
    case '[':
    case '[[':
      return tested(args, shell);
    case 'command':
    case 'which':
    case 'type':
      return somethingIsThere(shell);
    default: {
      const script = SHELLS.has(name) && shell.level < DEEPEST ? innerScript(args) : null;
      if (script) return inner(script);
      return saysNothing(name, args) ? OK : told(shell);
    }
  }
}

/** Behind assignments, and behind what only runs another command. */
function beginOf(words: readonly Word[]): number {
  let isBehindRunner = false;
  const begin = words.findIndex((word, nth) => {
    const isAsking = word.text === 'command' && /^-[vV]$/.test(words[nth + 1]?.text ?? '');
    const isRunner = RUNS_ANOTHER.has(nameOf(word)) && !isAsking;
    isBehindRunner ||= isRunner;
    return !isRunner && !ASSIGNMENT.test(word.text) && !(isBehindRunner && OPTION.test(word.text));
  });
  return begin === -1 ? words.length : begin;
}

const nameOf = ({ text }: Word): string => text.replace(/^(?:\/usr(?:\/local)?)?\/bin\//, '');

function told({ seen }: Shell): Ends {
  seen.hasTold = true;
  return EITHER;
}

/** That a file is there says something only after something ran that may have made it. */
const somethingIsThere = ({ seen }: Shell): Ends => (seen.hasTold ? EITHER : OK);

function exited([code]: readonly Word[], { last }: Shell): Ends {
  if (!code || code.text === '$?') return turned(last, { ok: 'exits well', fails: 'exits badly' });
  if (!code.isLiteral) return endsIn('exits well', 'exits badly');
  return endsIn(/^0+$/.test(code.text) ? 'exits well' : 'exits badly');
}

function changed(args: readonly Word[], shell: Shell): Ends {
  let isOn = true;
  for (const { text } of args) {
    if (/^[-+]/.test(text)) isOn = text.startsWith('-');
    if (/^[-+][a-z]*e|^errexit$/.test(text)) shell.endsOnFailure = isOn;
    if (text === 'pipefail') shell.pipesFail = isOn;
  }
  return OK;
}

/** Of files and such: with any other operator, what is literal is always the same. */
const LOOKS_AROUND = /^-(?:[a-hkprstuwxGLNOS]|nt|ot|ef)$/;

function tested(args: readonly Word[], shell: Shell): Ends {
  const words = args.filter(({ text }) => text !== ']' && text !== ']]');
  if (words.length === 2 && /^-[edf]$/.test(words[0]?.text ?? '')) return somethingIsThere(shell);
  const open = words.filter(({ text, isLiteral }) => !isLiteral || LOOKS_AROUND.test(text));
  const isSettled = open.every(({ text }) => text === '$?' && !shell.last.has('fails'));
  return isSettled ? OK : told(shell);
}

/** Null where it runs a file. */
function innerScript(args: readonly Word[]): InnerScript | null {
  const nth = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  const script = nth === -1 ? undefined : args[nth + 1];
  if (!script) return null;
  const options = args.slice(0, nth + 1).map(({ text }) => text);
  return {
    script: script.text,
    endsOnFailure: options.some((text) => /^-[a-z]*e|^errexit$/.test(text)),
    pipesFail: options.includes('pipefail'),
  };
}
