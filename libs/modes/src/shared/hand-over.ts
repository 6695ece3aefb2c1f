import type { AgentTask, LastCommand } from '#agents';
import type { ContinueReason } from './next-try.js';
import { material, parts } from './prompt.js';

/** What an agent that could not finish leaves to the conversation that continues its work. */
export interface HandOver {
  readonly why: ContinueReason;
  /** The outcome's own words, such as what is wrong with the output. */
  readonly message: string;
  readonly said: string;
  /** Paths changed since the task began. */
  readonly files: readonly string[];
  readonly lastCommand: LastCommand | null;
}

const MAX_FILES = 100;
const MAX_SAID = 6_000;
const MAX_MESSAGE = 2_000;
const MAX_COMMAND = 3_000;

const REASON_TEXTS: Readonly<Record<ContinueReason, string>> = {
  turns: 'It used all of its turns.',
  time: 'It used all of its time.',
  context: 'It filled the context window of its model.',
  output: 'Its final answer did not have the form that is asked for.',
  refusal: 'Its model did not continue.',
  crash: 'Its program ended too early, or used more than it may.',
  files: 'Its files could not be kept.',
};

/** Reasons whose message says what to avoid. */
const MESSAGE_TITLES: Partial<Readonly<Record<ContinueReason, string>>> = {
  output: 'What was wrong with its answer',
  crash: 'Why it ended',
  files: 'Why its files could not be kept',
};

/** The part of a prompt that hands the work over. Everything that the earlier agent wrote is fenced material. */
export function renderHandOver(
  { why, message, said, files, lastCommand }: HandOver,
  access: AgentTask['access'],
): string {
  const left = files.length - MAX_FILES;
  const messageTitle = MESSAGE_TITLES[why];
  const listed = [...files.slice(0, MAX_FILES), ...(left > 0 ? [`and ${String(left)} more`] : [])].join('\n');
  return parts(
    '# Continue earlier work',
    `An earlier conversation worked on this task and did not finish. ${REASON_TEXTS[why]}`,
    describeFiles(why, access, files.length > 0),
    messageTitle === undefined ? null : material(messageTitle, message, MAX_MESSAGE),
    files.length > 0 ? material('Files changed so far', listed) : null,
    lastCommand
      ? material('The last command it ran', `$ ${lastCommand.command}\n${lastCommand.result}`, MAX_COMMAND)
      : null,
    // A refusal says nothing about the task, and invites another one.
    said.trim() === '' || why === 'refusal' ? null : material('What it said last', said.slice(-MAX_SAID), MAX_SAID),
    'Finish within your limits. If you cannot finish, write down what is left.',
  );
}

function describeFiles(why: ContinueReason, access: AgentTask['access'], hasChanged: boolean): string {
  if (access === 'read') return 'It changed no files. Use what it found out, and check what you rely on.';
  if (why === 'files') {
    return 'What it wrote last is not in the files. Look at the files first, then do what is missing in another way.';
  }
  return !hasChanged
    ? 'It left no changes in the files. Use what it found out, and check what you rely on.'
    : 'Its changes are in the files. Look at them first, then continue from there. Do not start again.';
}
