import type { Finding, Priority } from '#contracts';
import { MOST_MERGED } from '../bounds.js';
import { findingOf } from './merged-finding.js';
import { PointIndex } from './point-index.js';
import type { Voice } from './points.js';
import { compare, type RawFinding } from './raw-finding.js';

export interface AgentFindings {
  readonly agent: string;
  readonly findings: readonly RawFinding[];
}

/**
 * The findings of a whole team: a point that several made is one finding. They are heard in an order of their own,
 * the most urgent first, then the surest, so that the order in which reviews come in changes nothing, and no P0 goes
 * under the title of a lesser point.
 */
export function mergeFindings(reviews: readonly AgentFindings[], most = MOST_MERGED): readonly Finding[] {
  const voices = reviews
    .flatMap(({ agent, findings }) => findings.map((finding) => voiceOf(agent, finding)))
    .sort(byUrgency)
    .filter((voice, at, all) => all[at - 1] === undefined || byUrgency(all[at - 1] as Voice, voice) !== 0);
  return new PointIndex(voices).points
    .map(findingOf)
    .sort(byRank)
    .slice(0, most)
    .map((finding, index) => ({ ...finding, id: `F-${String(index + 1).padStart(3, '0')}` }));
}

/** A line of no file is none. */
const voiceOf = (agent: string, finding: RawFinding): Voice => ({
  ...finding,
  line: finding.file === null ? null : finding.line,
  agent,
});

export function findingCounts(findings: readonly { readonly priority: Priority }[]): Record<Priority, number> {
  const counts = { P0: 0, P1: 0, P2: 0 };
  for (const { priority } of findings) counts[priority] += 1;
  return counts;
}

/** 0 only for the same words of the same agent about the same place. */
const byUrgency = (one: Voice, other: Voice): number => byRank(one, other) || compare(one.agent, other.agent);

const byRank = (one: RawFinding, other: RawFinding): number =>
  compare(one.priority, other.priority) || other.confidence - one.confidence || byContent(one, other);

const byContent = (one: RawFinding, other: RawFinding): number =>
  compare(one.title, other.title) ||
  // What has a place comes before what has none.
  compare(one.file ?? '\uffff', other.file ?? '\uffff') ||
  compare(one.line ?? Infinity, other.line ?? Infinity) ||
  compare(one.body, other.body);
