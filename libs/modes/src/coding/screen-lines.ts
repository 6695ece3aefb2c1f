import type { ActivityContext } from '#engine';
import { tasksOf } from './coding-context.js';

const LONGEST_REQUEST = 400;
const LONGEST_LINE = 300;
const MOST_LINES = 6;

/** The beginning of a request, in one line. */
export const shortenRequest = (request: string): string => request.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REQUEST);

/** A heading and at most six short lines. */
export function listLines(title: string, lines: readonly string[], empty: string): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line.slice(0, LONGEST_LINE)}`);
  const more = lines.length > MOST_LINES ? [`- and ${String(lines.length - MOST_LINES)} more`] : [];
  return [`${title}:`, ...(lines.length === 0 ? [`- ${empty}`] : [...shown, ...more])].join('\n');
}

/** What was asked, and the steps that have a commit. */
export function describeProgress(activity: Pick<ActivityContext, 'project' | 'context'>): readonly string[] {
  const done = tasksOf(activity).filter(({ kind, commit }) => kind !== 'review' && commit !== null);
  const titles = done.map(({ title }) => title);
  return [
    `What was asked: ${shortenRequest(activity.project.request)}`,
    listLines('Done and committed', titles, 'Nothing yet.'),
  ];
}
