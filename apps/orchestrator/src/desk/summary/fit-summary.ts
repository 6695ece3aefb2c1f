import type { ProjectSummary } from '#contracts';
import { tokensAtMost } from '#models';
import { summaryText } from './summary-text.js';

/** A summary has fewer tokens than this, however they are counted. */
export const MOST_TOKENS = 2_000;

const fits = (summary: ProjectSummary): boolean =>
  tokensAtMost(JSON.stringify(summary)) < MOST_TOKENS && tokensAtMost(summaryText(summary)) < MOST_TOKENS;

/**
 * Leaves out what there is no room for, one thing after the other, the least important first, and says how much that
 * was. Who is waited for, the call that answers it and what to do next are never among it.
 */
export function fitSummary(whole: ProjectSummary): ProjectSummary {
  let summary = whole;
  for (const shorten of SHORTENINGS) {
    for (;;) {
      if (fits(summary)) return summary;
      const shorter = shorten(summary);
      if (shorter === null) break;
      summary = shorter;
    }
  }
  return summary;
}

/** Makes a summary a little shorter; null where nothing of its kind is left. */
type Shorten = (summary: ProjectSummary) => ProjectSummary | null;

/** What is done first, from the oldest; then the last of what is to come. */
const planItem =
  (isOfKind: (box: string) => boolean): Shorten =>
  (summary) => {
    const { items, more } = summary.plan;
    const done = items.findIndex(({ box }) => isOfKind(box) && (box === 'x' || box === '-'));
    const at = done >= 0 ? done : items.findLastIndex(({ box }) => isOfKind(box));
    if (at < 0) return null;
    return { ...summary, plan: { ...summary.plan, items: items.toSpliced(at, 1), more: more + 1 } };
  };

const logRow: (left: number) => Shorten = (left) => (summary) => {
  const { rows, more } = summary.log;
  return rows.length <= left ? null : { ...summary, log: { rows: rows.slice(1), more: more + 1 } };
};

const problem: Shorten = (summary) => {
  const { items, more } = summary.problems;
  return items.length === 0 ? null : { ...summary, problems: { items: items.slice(1), more: more + 1 } };
};

const finding: (left: number) => Shorten = (left) => (summary) => {
  const { open, more, counts } = summary.findings;
  return open.length <= left ? null : { ...summary, findings: { counts, open: open.slice(0, -1), more: more + 1 } };
};

const file: (left: number) => Shorten = (left) => (summary) => {
  const { files, more, isKnown } = summary.uncommitted;
  if (files.length <= left) return null;
  return { ...summary, uncommitted: { isKnown, files: files.slice(0, -1), more: more + 1 } };
};

const unknownItem: (left: number) => Shorten = (left) => (summary) => {
  const { items, more } = summary.unknown;
  return items.length <= left ? null : { ...summary, unknown: { items: items.slice(0, -1), more: more + 1 } };
};

const SHORTENINGS: readonly Shorten[] = [
  logRow(4),
  planItem((box) => box === 'x' || box === '-'),
  problem,
  finding(3),
  file(6),
  planItem((box) => box === ' '),
  logRow(0),
  finding(0),
  file(0),
  unknownItem(2),
  planItem(() => true),
  unknownItem(0),
  (summary) => (summary.current.length === 0 ? null : { ...summary, current: summary.current.slice(0, -1) }),
];
