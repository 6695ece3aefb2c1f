import type { CostGroup } from '#contracts';
import type { DiffFile, VerifyReport } from '#workspace';
import type { Spending } from '../history.js';

/** Parts of the readable pages that several modes leave. */

/** Files in one list; the rest is counted, and every checkpoint stays small. */
export const MOST_FILES = 200;

export interface Changes {
  readonly shown: readonly DiffFile[];
  readonly more: number;
}

export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];

/** Indented, so that nothing in it is taken for a part of the page. */
export const fenced = (text: string | null): string[] =>
  text === null ? [] : text.split('\n').map((line) => `    ${line}`);

export const oneLine = (text: string, longest = 500): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);

export function changeLines({ shown: files, more }: Changes): string[] {
  const shown = files.map(({ path, status, insertions, deletions }) => {
    return `- ${status} \`${oneLine(path)}\`, +${String(insertions)} −${String(deletions)}`;
  });
  return more > 0 ? [...shown, `- and ${String(more)} more`] : shown;
}

export function costLines({ total, byAgent, byModel }: Spending): string[] {
  if (total.calls === 0) return ['Nothing: no model was called.'];
  const line = (title: string, { key, calls, costUsd, unknownCalls }: CostGroup): string =>
    `| ${title} ${key} | ${String(calls)} | ${costUsd ?? 'unknown'} | ${unknownCalls === 0 ? '' : String(unknownCalls)} |`;
  return [
    '| | calls | USD | of unknown cost |',
    '| --- | --- | --- | --- |',
    ...byAgent.map((group) => line('agent', group)),
    ...byModel.map((group) => line('model', group)),
    line('all', { key: '', ...total }),
  ];
}

export function countWords(report: VerifyReport | null): string {
  if (!report) return 'not run';
  const counts = report.commands.flatMap((command) => command.counts ?? []);
  const sum = (of: 'passed' | 'failed'): string => String(counts.reduce((total, one) => total + one[of], 0));
  return counts.length === 0 ? report.verdict : `${report.verdict}, ${sum('passed')} passed, ${sum('failed')} failed`;
}
