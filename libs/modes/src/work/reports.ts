import type { Finding } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { findingCounts, mergeFindings, MOST_MERGED, planTasks, type RawFinding, readReview } from '#team';
import { findingsOf, listed, tasksOf } from '../coding/coding-context.js';
import { isEscalated, type Reported, reportsOf } from './work-context.js';

type Scene = Pick<ActivityContext, 'context'>;

/** What whoever planned, worked or checked came across becomes findings; a P0 among them ends the small team's work. */
export function withReport(scene: Scene, agent: string, found: readonly object[]): JsonObject {
  const findings = readReview({ summary: '', findings: found }, '').findings.map(relateUrgent);
  if (findings.length === 0) return {};
  const reports: readonly Reported[] = [...reportsOf(scene), { agent, findings }];
  if (isEscalated(scene)) return withMore(scene, mergeFindings([{ agent, findings }]));
  const merged = mergeFindings(reports, MOST_MERGED);
  return { reports: listed(reports), findings: listed(merged), findingCounts: findingCounts(merged) };
}

/** The small team does not say how a finding relates to the request. By their definition, work cannot go on before a P0. */
const relateUrgent = (finding: RawFinding): RawFinding =>
  finding.priority === 'P0' ? { ...finding, relation: 'before' } : finding;

/** Behind the reviews each finding has its number: what comes later is added, and what is urgent is a task at once. */
function withMore(scene: Scene, found: readonly Finding[]): JsonObject {
  const known = findingsOf(scene);
  const fresh = found
    .filter(({ title, file }) => !known.some((one) => one.title === title && one.file === file))
    .map((one, nth) => ({ ...one, id: `F-${String(known.length + nth + 1).padStart(3, '0')}` }));
  if (fresh.length === 0) return {};
  const all = [...known, ...fresh];
  const before = tasksOf(scene);
  const urgent = fresh.filter(({ priority }) => priority !== 'P2');
  return {
    findings: listed(all),
    findingCounts: findingCounts(all),
    tasks: listed([...before, ...planTasks({ before: urgent, steps: [], after: [], asides: [] }, before)]),
  };
}
