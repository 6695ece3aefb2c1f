import { EXPECTED, type Outcome } from './judge.js';
import type { OutcomeCase } from '../cases/case.js';

export interface CaseResult {
  readonly case: OutcomeCase;
  readonly outcome: Outcome;
  readonly isRight: boolean;
  /** What a person is told, or what went wrong. */
  readonly why: string;
  readonly calls: number;
  readonly costUsd: number;
  readonly ms: number;
  /** SUMMARY.md of the project; empty if it did not complete. */
  readonly summary: string;
  /** Readable files of the project by name, such as PLAN.md. */
  readonly pages?: Readonly<Record<string, string>>;
}

const LONGEST_WHY = 160;
const HEAD = ['case', 'point', 'class', 'protocol', 'mode', 'expected', 'outcome', 'right', 'calls', 'cost', 'time'];

/** One Markdown table, a line for each case. */
export function renderTable(results: readonly CaseResult[]): string {
  const rows = results.map(({ case: one, outcome, isRight, why, calls, costUsd, ms }) => [
    one.name,
    one.point === null ? '' : String(one.point),
    one.kind === 'solvable' ? one.job.task.class : one.kind,
    one.protocol,
    one.mode,
    EXPECTED[one.kind],
    why === '' || (outcome === 'proven' && isRight) ? outcome : `${outcome}: ${plain(firstParagraph(why))}`,
    isRight ? 'yes' : 'NO',
    String(calls),
    `$${costUsd.toFixed(4)}`,
    `${(ms / 1_000).toFixed(1)} s`,
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The goals in one line. */
export function renderSummary(results: readonly CaseResult[]): string {
  const of = (kind: OutcomeCase['kind']) => results.filter((result) => result.case.kind === kind);
  const share = (kind: OutcomeCase['kind']): string =>
    `${String(of(kind).filter(({ isRight }) => isRight).length)} of ${String(of(kind).length)}`;
  const accepted = of('lie').filter(({ outcome }) => outcome === 'false done' || outcome === 'unproven').length;
  const calls = results.reduce((sum, result) => sum + result.calls, 0);
  const cost = results.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return (
    `solvable, proven without a person: ${share('solvable')}; lies accepted: ${String(accepted)} of ${String(of('lie').length)}; ` +
    `asked rightly: ${share('person')}; simulated: ${share('simulated')}; ${String(calls)} calls, $${cost.toFixed(2)}`
  );
}

/** What a person is told begins with what is missing. */
const firstParagraph = (text: string): string => text.split('\n\n')[0] ?? text;

/** One line that cannot break the table. */
const plain = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '/').trim();
  return line.length > LONGEST_WHY ? `${line.slice(0, LONGEST_WHY)}…` : line;
};

/** The lines of a page between which a command writes. */
export interface Markers {
  readonly begin: string;
  readonly end: string;
}

export const markersOf = (name: string): Markers => ({
  begin: `<!-- ${name}: begin -->`,
  end: `<!-- ${name}: end -->`,
});

export const OUTCOME_MARKERS = markersOf('outcomes');
export const MUTATION_MARKERS = markersOf('mutations');

/** The page with the content between its markers; what is outside of them stays. */
export function replaceBetweenMarkers(page: string, content: string, { begin, end }: Markers): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no markers. Add the lines ${begin} and ${end}.`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
