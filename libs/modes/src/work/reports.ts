import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { findingCounts, mergeFindings, MOST_MERGED, planTasks, type RawFinding, readReview } from '#team';
import { codingOrderOf, findingsOf, listed, tasksOf } from '../coding/coding-context.js';
import { selectAsides } from '../coding/scoping/build-plan.js';
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

/**
 * Behind the reviews each finding has its number, and what comes later is added. A P0 is a task before the work that is
 * left. Of the others as many are tasks at the end as the order allows beside the request.
 */
function withMore(scene: Scene, found: readonly Finding[]): JsonObject {
  const known = findingsOf(scene);
  const fresh = found
    .filter(({ title, file }) => !known.some((one) => one.title === title && one.file === file))
    .map((one, nth) => ({ ...one, id: `F-${String(known.length + nth + 1).padStart(3, '0')}` }));
  if (fresh.length === 0) return {};
  const all = [...known, ...fresh];
  const tasks = tasksOf(scene);
  const before = fresh.filter(({ relation }) => relation === 'before');
  const asides = selectAsides(fresh, codingOrderOf(scene).asides ?? 'P1', countAsides(known, tasks));
  const made = planTasks({ before, steps: [], after: [], asides }, tasks);
  const isLeft = ({ kind, status }: ProjectTask): boolean => kind !== 'review' && status === 'pending';
  return {
    findings: listed(all),
    findingCounts: findingCounts(all),
    tasks: listed([
      ...tasks.filter((task) => !isLeft(task)),
      ...made.slice(0, before.length),
      ...tasks.filter(isLeft),
      ...made.slice(before.length),
    ]),
  };
}

/** Findings beside the request that have become tasks, whatever became of these. */
function countAsides(findings: readonly Finding[], tasks: readonly ProjectTask[]): number {
  const asides = new Set(findings.filter(({ relation }) => relation === 'aside').map(({ id }) => id));
  return tasks.filter(({ finding }) => finding !== null && asides.has(finding)).length;
}
