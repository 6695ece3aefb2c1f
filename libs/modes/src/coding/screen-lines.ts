import type { ActivityContext } from '#engine';
import { tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
import type { Scenario } from './scenario.js';

const LONGEST_REQUEST = 400;
const LONGEST_LINE = 300;
const MOST_LINES = 6;

/** The beginning of a request, in one line. */
export const shortenRequest = (request: string): string => request.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REQUEST);

/** A heading and at most six short lines. */
export function listLines(title: string, lines: readonly string[], empty: string, longest = LONGEST_LINE): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line.slice(0, longest)}`);
  const more = lines.length > MOST_LINES ? [`- and ${String(lines.length - MOST_LINES)} more`] : [];
  return [`${title}:`, ...(lines.length === 0 ? [`- ${empty}`] : [...shown, ...more])].join('\n');
}

/** What an independent agent said about disputed scenarios; empty if none was disputed. */
export function listRulings(scenarios: readonly Scenario[]): readonly string[] {
  const lines = scenarios.flatMap(({ id, rulings = [] }) =>
    rulings.map(({ isWrong, why }) => `${id} is ${isWrong ? 'wrong' : 'right'}: ${why}`),
  );
  return lines.length === 0 ? [] : [listLines('What an independent agent ruled', lines, '')];
}

/** The line of a screen that titles, lists and pages show. */
export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const NOT_COMMITTED = ' (its change is in the worktree, and not committed yet)';

/** What was asked, the steps that have a commit, and those that are still to be done. */
export function describeProgress({ project, context }: Pick<ActivityContext, 'project' | 'context'>): string[] {
  const tasks = tasksOf({ context }).filter(({ kind }) => kind !== 'review');
  const done = tasks.filter(({ commit }) => commit !== null).map(({ title }) => title);
  const { commit: latest, baseCommit, isRolledBack } = contextOf({ context });
  const isChanged =
    typeof latest === 'string' &&
    ![baseCommit, ...tasks.map(({ commit }) => commit)].includes(latest) &&
    isRolledBack !== true;
  const note = (status: string): string => (status === 'in_progress' && isChanged ? NOT_COMMITTED : '');
  const open = tasks
    .filter(({ commit, status }) => commit === null && ['pending', 'in_progress'].includes(status))
    .map(({ id, title, status }) => `${id} ${title}${note(status)}`);
  return [
    `What was asked: ${shortenRequest(project.request)}`,
    listLines('Done and committed', done, 'Nothing yet.'),
    ...(open.length > 0 ? [listLines('Not done yet', open, '')] : []),
  ];
}

interface Screen {
  readonly first: string;
  readonly sections: readonly string[];
  /** Decisions that the gate offers, and what they do. */
  readonly answer: string;
  /** Output, with what it is. */
  readonly printed: string | null;
}

/** The text of a question to a person. The answer comes before the output, so that it is on the first screen. */
export const renderScreen = ({ first, sections, answer, printed }: Screen): string =>
  [first, ...sections, `Likely best answer: ${answer}`, ...(printed === null ? [] : [printed])].join('\n\n');
