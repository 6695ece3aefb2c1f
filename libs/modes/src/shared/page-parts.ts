import type { CostGroup, UnheardNote } from '#contracts';
import { block, cleanLine, inline } from '#team';
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

const LONGEST_BLOCK = 20_000;

/** Indented, so that nothing in it is taken for a part of the page. Below a list it needs `bullet`, or the list takes it. */
export const fenced = (text: string | null, within: 'page' | 'bullet' = 'page'): readonly string[] =>
  text === null ? [] : block(text, LONGEST_BLOCK, within);

/** Somebody else's words in one line, a heading or a cell of a table: nothing in them is markdown. */
export const oneLine = (text: string, longest = 500): string => inline(text, longest);

/** A name as it is, in marks that it cannot end. */
function code(text: string): string {
  const name = cleanLine(text, 500);
  const marks = '`'.repeat(Math.max(0, ...(name.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const space = /^`|`$/.test(name) ? ' ' : '';
  return `${marks}${space}${name}${space}${marks}`;
}

/** Files of which nothing but the names is known. */
export function nameLines(names: readonly string[]): string[] {
  const more = names.length - MOST_FILES;
  return [
    ...names.slice(0, MOST_FILES).map((name) => `- ${code(name)}`),
    ...(more > 0 ? [`- and ${String(more)} more`] : []),
  ];
}

export function changeLines({ shown: files, more }: Changes): string[] {
  const shown = files.map(({ path, status, insertions, deletions }) => {
    return `- ${status} ${code(path)}, +${String(insertions)} −${String(deletions)}`;
  });
  return more > 0 ? [...shown, `- and ${String(more)} more`] : shown;
}

export function costLines({ total, byAgent, byModel }: Spending): string[] {
  if (total.calls === 0) return ['Nothing: no model was called.'];
  const isKnown = total.unknownCalls === 0;
  const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const line = (title: string, { calls, tokens, costUsd, unknownCalls }: typeof total): string => {
    const unknown = isKnown ? [] : [unknownCalls === 0 ? '' : String(unknownCalls)];
    return row(title, String(calls), String(tokensIn(tokens)), costUsd ?? 'unknown', ...unknown);
  };
  const head = ['', 'calls', 'tokens', 'USD', ...(isKnown ? [] : ['calls of unknown cost'])];
  const named = (kind: string, groups: readonly CostGroup[]): string[] =>
    groups.map(({ key, ...sums }) => line(`${kind} ${oneLine(key)}`, { ...sums, costUsd: roundUsd(sums.costUsd) }));
  const rows = [...named('agent', byAgent), ...named('model', byModel), line('all', total)];
  return [row(...head), row(...head.map(() => '---')), ...rows];
}

/** Four decimals are enough for one row; the sum stays exact. */
const roundUsd = (usd: string | null): string | null =>
  usd !== null && /\.\d{5,}$/.test(usd) ? Number(usd).toFixed(4) : usd;

/** All that went to and fro, read from a cache or not; reasoning is a part of the output. */
const tokensIn = ({ input, output, cacheRead, cacheWrite }: CostGroup['tokens']): number =>
  input + output + cacheRead + cacheWrite;

/** What somebody said and no agent ever heard: whoever said it may say it again, to another project. */
export const unheardLines = (notes: readonly UnheardNote[]): string[] =>
  notes.map(
    ({ number, agent, text }) => `- note ${String(number)} to ${oneLine(agent ?? 'all agents')}: ${oneLine(text)}`,
  );

export function countWords(report: VerifyReport | null): string {
  if (!report) return 'not run';
  const counts = report.commands.flatMap((command) => command.counts ?? []);
  const sum = (of: 'passed' | 'failed'): string => String(counts.reduce((total, one) => total + one[of], 0));
  return counts.length === 0 ? report.verdict : `${report.verdict} (${sum('passed')} passed, ${sum('failed')} failed)`;
}
